import { describe } from "node:test";
import { signJwt } from "../../../src/server/issuer/keys/own_jwt.ts";
import {
  agent,
  company,
  type Enterprise,
  type EnterpriseKit,
  idTokenType,
  openCompany,
  refreshTokenType,
} from "../../support/enterprise.ts";
import { basic, claimsOf, endToken, type Kit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { itRefuses, type Play, toRows } from "../../support/refusals.ts";
import type { Tokens } from "../../support/wire.ts";

const offline = { scope: "openid offline_access", prompt: "consent" };

/** Finds a token that a client presents. */
type Find = (enterprise: Enterprise) => Promise<string>;

function ofRefreshToken(spoil: (enterprise: Enterprise, token: string) => unknown): Find {
  return async (enterprise) => {
    const { refresh_token } = await enterprise.signIn(offline);
    await spoil(enterprise, refresh_token);
    return refresh_token;
  };
}

function ofIdToken(spoil: (enterprise: Enterprise, token: string) => unknown, asked = {}): Find {
  return async (enterprise) => {
    const { id_token } = await enterprise.signIn(asked);
    await spoil(enterprise, id_token);
    return id_token;
  };
}

/** Signs the claims of an ID token again, with changes, with the key of the company. */
function signedAgain(changes: object, typ = "JWT"): Find {
  return async ({ signIn, idp }) => {
    const { id_token } = await signIn();
    return await signJwt(idp.server.context, "RS256", typ, { ...claimsOf(id_token), ...changes });
  };
}

async function revoke({ idp }: Enterprise, token: string): Promise<void> {
  await endToken(idp, token, agent);
}

async function disableUser({ idp }: Enterprise): Promise<void> {
  await storeDora(idp, true);
}

/** Stores a user like alice. */
async function storeDora({ server: { context } }: Kit, disabled: boolean): Promise<void> {
  const alice = present(await context.settings.users.get("alice"));
  const dora = { ...alice, name: "dora", subject: "dora", disabled };
  await context.records.users.put("dora", dora, 8.64e15);
}

/** Signs in a user of the store. */
async function signInAsDora(enterprise: Enterprise, asked = {}): Promise<Tokens> {
  await storeDora(enterprise.idp, false);
  return await enterprise.signIn(asked, { user: "dora", password: "alice" });
}

/** Signs the user out with the ID token. */
async function signOut({ idp }: Enterprise, id_token: string): Promise<void> {
  const { sid } = await sessionOf(idp, id_token);
  await idp.server.context.records.endedSessions.put(sid, null, 8.64e15);
}

async function sessionOf({ server }: Kit, idToken: string): Promise<{ sid: string }> {
  const [id = ""] = claimsOf(idToken).jti.split(".");
  const authorization = await server.context.records.authorizations.find(id);
  return { sid: authorization?.sid ?? "" };
}

const part = (value: object) => btoa(JSON.stringify(value)).replaceAll("=", "");

/** Tokens that stand for no user who is signed in at this client. */
const subjects: Record<string, [find: Find, type?: string, rule?: string]> = {
  "an access token": [async ({ signIn }) => (await signIn()).access_token],
  "an access token with the typ of an ID token": [async ({ signIn, idp }) => {
    const claims = { ...claimsOf((await signIn()).access_token), aud: "agent" };
    return await signJwt(idp.server.context, "RS256", "JWT", claims);
  }],
  "a token that was exchanged": [async ({ signIn, idp }) => {
    const { access_token } = await signIn({ resource: company }, undefined, "without");
    const fields = {
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      subject_token: access_token,
      subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
    };
    return (await idp.token(fields, basic("without", "s"))).body.access_token;
  }],
  "the ID token of another client": [
    async ({ signIn }) => (await signIn({}, undefined, "other")).id_token,
  ],
  "an ID token for two audiences": [signedAgain({ aud: ["agent", "other"] })],
  "an ID token for a list with this client": [signedAgain({ aud: ["agent"] })],
  "an ID token of another issuer": [signedAgain({ iss: "https://evil.example" })],
  "an ID token without an end": [signedAgain({ exp: undefined })],
  "an ID token without an id": [signedAgain({ jti: undefined })],
  "an ID token of no authorization": [signedAgain({ jti: "made-up" })],
  "an ID token of an unknown authorization": [signedAgain({ jti: "made.up" })],
  "an ID token with an id as of an exchange": [signedAgain({ jti: "made.up.again" })],
  "a logout token": [signedAgain({ events: {} }, "logout+jwt")],
  "an ID token with the typ of an ID-JAG": [signedAgain({}, "oauth-id-jag+jwt")],
  "an introspection response": [signedAgain({}, "token-introspection+jwt")],
  "an ID token that was changed": [async ({ signIn }) => {
    const [header, , signature] = (await signIn()).id_token.split(".");
    const claims = part({ iss: company, sub: "bob", aud: "agent", jti: "a.b" });
    return [header, claims, signature].join(".");
  }],
  "an ID token without a signature": [async ({ signIn }) => {
    const [, claims] = (await signIn()).id_token.split(".");
    return `${part({ alg: "none", typ: "JWT" })}.${claims}.`;
  }],
  "an ID token in another spelling": [async ({ signIn }) => `${(await signIn()).id_token}=`],
  "another ID-JAG": [async (enterprise) => await enterprise.idJag()],
  "an ID token that expired": [
    ofIdToken(({ advance, idp }, token) => advance(claimsOf(token).exp - idp.clock.now / 1000)),
  ],
  "an ID token whose authorization was revoked": [async (enterprise) => {
    const { refresh_token, id_token } = await enterprise.signIn(offline);
    await revoke(enterprise, refresh_token);
    return id_token;
  }],
  "an ID token whose code was used twice": [async ({ idp }) => {
    const code = await idp.code({ client_id: "agent", scope: "openid" });
    const once = () => idp.redeem(code, { client_id: undefined }, agent);
    const { id_token } = (await once()).body;
    await once();
    return id_token;
  }],
  "the refresh token of another client": [
    async ({ signIn }) => (await signIn(offline, undefined, "other")).refresh_token,
    refreshTokenType,
  ],
  "an access token as a refresh token": [
    async ({ signIn }) => (await signIn()).access_token,
    refreshTokenType,
  ],
  "an ID token as a refresh token": [
    async ({ signIn }) => (await signIn()).id_token,
    refreshTokenType,
  ],
  "a refresh token as an ID token": [ofRefreshToken(() => {}), idTokenType],
  "a refresh token that was rotated": [
    ofRefreshToken(({ idp }, refresh_token) =>
      idp.token({ grant_type: "refresh_token", refresh_token }, agent)
    ),
    refreshTokenType,
  ],
  "a refresh token that was revoked": [ofRefreshToken(revoke), refreshTokenType],
  "a refresh token that expired": [
    ofRefreshToken(({ advance }) => advance(90 * 24 * 3600)),
    refreshTokenType,
  ],
  "a code": [
    async ({ idp }) => await idp.code({ client_id: "agent", scope: "openid" }),
    refreshTokenType,
  ],
  "an ID token of a user who was disabled": [async (enterprise) => {
    const { id_token } = await signInAsDora(enterprise);
    await disableUser(enterprise);
    return id_token;
  }],
  "a refresh token of a user who was disabled": [async (enterprise) => {
    const { refresh_token } = await signInAsDora(enterprise, offline);
    await disableUser(enterprise);
    return refresh_token;
  }, refreshTokenType],
  "an ID token after the user signed out": [ofIdToken(signOut)],
  "an ID token with offline access after the user signed out": [
    ofIdToken(signOut, offline),
    idTokenType,
    "id_jag.session",
  ],
  "a refresh token with offline access after the user signed out": [
    async (enterprise) => {
      const { refresh_token, id_token } = await enterprise.signIn(offline);
      await signOut(enterprise, id_token);
      return refresh_token;
    },
    refreshTokenType,
    "id_jag.session",
  ],
  "a refresh token with offline access after the session ended by itself": [
    ofRefreshToken(({ advance }) => advance(24 * 3600)),
    refreshTokenType,
    "id_jag.session",
  ],
  "an empty token": [() => Promise.resolve(""), idTokenType, "subject_token.present"],
};

describe("J07 J08 A request for an ID-JAG is refused, whatever its audience, with", () => {
  const toRequest =
    (find: Find, subject_token_type = idTokenType): Play<EnterpriseKit> => async ({ enterprise }) =>
      enterprise.request(await find(enterprise), { subject_token_type });

  itRefuses(
    toRows(
      subjects,
      ([find, type, rule = "id_jag.subject_token"]) => [rule, toRequest(find, type)],
    ),
    { open: openCompany },
  );
});
