import { describe } from "node:test";
import { disable as disableUser } from "../../src/administration/users.ts";
import { clientEndpoints } from "../features.ts";
import { basic, type Fields, read } from "../support/kit.ts";
import {
  api,
  type Case,
  type Cases,
  confidential,
  day,
  dora,
  issuer,
  itLooksTheSame,
  lateForToken,
  openIn,
  outsideLabs,
  removeDora,
  secret,
  signIns,
  used,
} from "../support/same_refusals.ts";

const codes: Cases = {
  "code.known": (kit) => kit.redeem("a"),
  "code.fresh": async (kit) => {
    const code = await kit.code();
    kit.clock.advance(6 * 60);
    return await kit.redeem(code);
  },
  "code.active": async (kit) => {
    const code = await kit.code({}, dora);
    await removeDora(kit);
    return await kit.redeem(code);
  },
  "code.client": async (kit) => await kit.redeem(await kit.code(), { client_id: "other-spa" }),
};

const refreshTokens: Cases = {
  "refresh_token.known": (kit) => kit.refresh("a"),
  "refresh_token.fresh": async (kit) => {
    const { refresh_token } = await kit.tokens();
    kit.clock.advance(31 * day);
    return await kit.refresh(refresh_token);
  },
  "refresh_token.active": async (kit) => {
    const { refresh_token } = await kit.tokens({}, dora);
    await removeDora(kit);
    return await kit.refresh(refresh_token);
  },
  "refresh_token.client": async (kit) =>
    await kit.refresh((await kit.tokens()).refresh_token, { client_id: "other-spa" }),
};

/** Authenticates at an endpoint. */
function authenticate(path: string, fields: Fields, headers?: Record<string, string>): Case {
  return async (kit) => await read(await kit.post(path, fields, headers));
}

/** Everything that may be wrong with the credentials of a client. */
function badClients(path: string): Cases {
  return {
    "client.authenticated 1": authenticate(path, { client_id: "who", client_secret: secret }),
    "client.authenticated 2": authenticate(path, { client_id: "confidential", client_secret: "a" }),
    "client.authenticated 3": authenticate(path, { client_id: "confidential" }),
    "client.authenticated 4": authenticate(path, { client_id: "stored", client_secret: secret }),
    "client.authenticated 5": authenticate(path, {}, basic("who", secret)),
    "client.authenticated 6": authenticate(path, {}, basic("confidential", "a")),
    "client.authenticated 7": authenticate(path, {}, basic("stored", secret)),
    "client.no_secret": authenticate(path, { client_id: "demo-spa", client_secret: "a" }),
  };
}

const authorizationClients: Cases = {
  "client.known 1": (kit) => openIn(kit, kit.authorizationUrl({ client_id: "who" })),
  "client.known 2": (kit) => openIn(kit, kit.authorizationUrl({ client_id: "stored" })),
};

const interactions: Cases = {
  "interaction.browser 1": (kit) => openIn(kit, `${issuer}/oauth2/interaction/a`),
  "interaction.browser 2": async (kit) => {
    const { url } = await kit.browser().open(kit.authorizationUrl());
    return await openIn(kit, url);
  },
  "interaction.browser 3": async (kit) => {
    const browser = kit.browser();
    const { url } = await browser.open(kit.authorizationUrl());
    kit.clock.advance(day);
    return await read(await browser.request(url));
  },
};

function userinfo(token: string): Case {
  return async (kit) => await kit.userinfo(token);
}

const userinfoTokens: Cases = {
  "token.active 1": userinfo("a"),
  "token.active 2": used(userinfo, lateForToken),
  "token.active 3": used(userinfo, removeDora),
  "token.audience": used(userinfo, () => {}, { resource: api, scope: "openid read" }),
  "token.active 4": used(userinfo, (kit) => disableUser(kit.server.context, "dora")),
};

function introspect(token: string): Case {
  return async (kit) => await kit.introspect(token, {}, confidential);
}

const introspectedTokens: Cases = {
  "unknown": introspect("a"),
  "expired": used(introspect, lateForToken),
  "revoked": used(introspect, removeDora),
  "of another client": used(introspect),
};

const groups: Readonly<Record<string, Cases>> = {
  "A code": codes,
  "A refresh token": refreshTokens,
  ...Object.fromEntries(
    clientEndpoints.map((endpoint) => [
      `A client at /oauth2/${endpoint}`,
      badClients(`/oauth2/${endpoint}`),
    ]),
  ),
  "A client at /oauth2/authorize": authorizationClients,
  "An interaction": interactions,
  "A token at /oauth2/userinfo": userinfoTokens,
  "A token at /oauth2/introspect": introspectedTokens,
  "A user at /oauth2/interaction": signIns((kit) => kit.authorizationUrl()),
};

describe(outsideLabs, () => {
  for (const [what, cases] of Object.entries(groups)) itLooksTheSame(what, cases);
});
