import { describe } from "node:test";
import { disable as disableClient } from "../../src/administration/clients.ts";
import { disable as disableUser } from "../../src/administration/users.ts";
import { clientEndpoints } from "../features.ts";
import { basic, type Fields, type Kit, read, type ReadResponse } from "../support/kit.ts";
import { register, sendJson } from "../support/registration.ts";
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
  outsideLabs,
  removeDora,
  secret,
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
  "client.known 1": (kit) => open(kit, kit.authorizationUrl({ client_id: "who" })),
  "client.known 2": (kit) => open(kit, kit.authorizationUrl({ client_id: "stored" })),
};

/** Pushes a request, and opens its request_uri after something has happened. */
function push(act: (kit: Kit, url: string) => unknown, client_id = "demo-spa"): Case {
  return async (kit) => {
    const { searchParams } = new URL(kit.authorizationUrl({ client_id }));
    const pushed = await kit.post("/oauth2/par", Object.fromEntries(searchParams));
    const { request_uri } = (await read(pushed)).body;
    const url = `${issuer}/oauth2/authorize?${new URLSearchParams({
      client_id: "demo-spa",
      request_uri,
    })}`;
    await act(kit, url);
    return await open(kit, url);
  };
}

const pushedRequests: Cases = {
  "request_uri.usable 1": (kit) =>
    open(
      kit,
      kit.authorizationUrl({ request_uri: `urn:ietf:params:oauth:request_uri:${"a".repeat(43)}` }),
    ),
  "request_uri.usable 2": push((kit) => kit.clock.advance(day)),
  "request_uri.usable 3": push((kit) => kit.clock.advance(6 * 60)),
  "request_uri.usable 4": push((kit, url) => kit.browser().authorize(url)),
  "request_uri.usable 5": push(() => {}, "other-spa"),
};

const interactions: Cases = {
  "interaction.browser 1": (kit) => open(kit, `${issuer}/oauth2/interaction/a`),
  "interaction.browser 2": async (kit) => {
    const { url } = await kit.browser().open(kit.authorizationUrl());
    return await open(kit, url);
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

/** Reads a registration. */
function manage(
  id: (registered: string) => string,
  act: (kit: Kit, uri: string, token: string) => unknown,
): Case {
  return async (kit) => {
    const { body } = await register(kit);
    const { client_id, registration_access_token: token } = body;
    await act(kit, body.registration_client_uri, token);
    const uri = body.registration_client_uri.replace(client_id, id(client_id));
    return await sendJson(kit, "PUT", uri, {}, token);
  };
}

const registrations: Cases = {
  "registration_access.right 1": manage(() => "who", () => {}),
  "registration_access.right 2": manage(() => "demo-spa", () => {}),
  "registration_access.right 3": manage((id) => id, (kit, uri, token) =>
    kit.server.fetch(
      new Request(uri, { method: "DELETE", headers: { Authorization: `Bearer ${token}` } }),
    )),
  "registration_access.right 4": async (kit) => {
    const { body } = await register(kit);
    return await sendJson(kit, "PUT", body.registration_client_uri, {}, "another");
  },
  "registration_access.right 5": manage(
    (id) => id,
    (kit, uri) => disableClient(kit.server.context, uri.split("/").at(-1) ?? ""),
  ),
};

/** Signs in with a form, and returns the page that comes back. */
function signIn(
  start: (kit: Kit) => string,
  username: string,
  act: (kit: Kit) => unknown = () => {},
): Case {
  return async (kit) => {
    await act(kit);
    const browser = kit.browser();
    const page = await browser.open(start(kit));
    const { status, headers, html } = await browser.signIn(
      page,
      username,
      username === "nobody" ? "nobody" : dora.password,
    );
    return { status, headers, text: html.replaceAll(username, "USER"), body: {} as never };
  };
}

function users(start: (kit: Kit) => string): Cases {
  return {
    "sign_in.failed 1": signIn(start, "nobody"),
    "sign_in.failed 2": signIn(start, "alice"),
    "sign_in.failed 3": signIn(
      start,
      "dora",
      (kit) => disableUser(kit.server.context, "dora"),
    ),
    "sign_in.failed 4": signIn(start, "dora", removeDora),
  };
}

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
  "A pushed request": pushedRequests,
  "An interaction": interactions,
  "A token at /oauth2/userinfo": userinfoTokens,
  "A token at /oauth2/introspect": introspectedTokens,
  "A registration access token": registrations,
  "A user at /oauth2/interaction": users((kit) => kit.authorizationUrl()),
  "A user at /account": users(() => `${issuer}/account`),
};

describe(outsideLabs, () => {
  for (const [what, cases] of Object.entries(groups)) itLooksTheSame(what, cases);
});

async function open(kit: Kit, url: string): Promise<ReadResponse> {
  return await read(await kit.browser().request(url));
}
