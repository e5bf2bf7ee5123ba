import { base64url } from "jose";
import { OutboundError } from "../../../src/server/http/outbound_fetch.ts";
import { featureFixtures } from "../../features.ts";
import { makeProof, type ProofChanges, type ProofKey, proofKey } from "../dpop.ts";
import { basic, service } from "../kit.ts";
import { type Play, post, token } from "../refusals.ts";
import { initialAccessToken, redirectUri, register, sendJson } from "../registration.ts";
import { api, type BrokenRules, proofIn, type RuleLab } from "./rule_lab.ts";

const code = { grant_type: "authorization_code" };

/** Sends a token request with a proof, with changes to the proof. */
function prove(changes: ProofChanges): Play<RuleLab> {
  return async (kit) => await token(code, { DPoP: await proofIn(kit, changes) })(kit);
}

/** Sends a token request with what is no proof. */
function proof(DPoP: string): Play<RuleLab> {
  return token(code, { DPoP });
}

/** Sends a token request with a proof whose header was changed after it was signed. */
function proveWith(header: (keys: Record<"own" | "other", ProofKey>) => object): Play<RuleLab> {
  return async (kit) => {
    const keys = { own: await proofKey(), other: await proofKey("ES256 another") };
    const [, ...rest] = (await proofIn(kit)).split(".");
    const named = { typ: "dpop+jwt", alg: "ES256", jwk: keys.own.jwk, ...header(keys) };
    return await proof([base64url.encode(JSON.stringify(named)), ...rest].join("."))(kit);
  };
}

/** Gets a token that is bound to a key. */
async function boundToken(kit: RuleLab): Promise<string> {
  const code = await kit.code();
  return (await kit.redeem(code, {}, { DPoP: await proofIn(kit) })).body.access_token;
}

/** Calls userinfo with a bound token, and a proof with changes. */
function userinfoWith(changes: ProofChanges, key = "ES256", scheme = "DPoP"): Play<RuleLab> {
  return async (kit) => {
    const bound = await boundToken(kit);
    const url = `${kit.issuer}/oauth2/userinfo`;
    const now = kit.clock.now;
    const DPoP = await makeProof(await proofKey(key), "GET", url, {
      now,
      token: bound,
      ...changes,
    });
    return await kit.get("/oauth2/userinfo", { Authorization: `${scheme} ${bound}`, DPoP });
  };
}

/** Calls userinfo. */
function userinfo(Authorization: string): Play<RuleLab> {
  return (kit) => kit.get("/oauth2/userinfo", { Authorization });
}

/** The rules of DPoP proofs, in their order. */
export const proofRows: BrokenRules = {
  "dpop.one": proof("a,b"),
  "dpop.length": proof("a".repeat(8 * 1024 + 1)),
  "dpop.jwt": proof("a"),
  "dpop.typ": prove({ header: { typ: "JWT" } }),
  "dpop.alg": proveWith(() => ({ alg: "HS256" })),
  "dpop.jwk": prove({ header: { jwk: undefined } }),
  "dpop.public_key": proveWith(({ own }) => ({ jwk: own.privateJwk })),
  "dpop.key_type": proveWith(() => ({ alg: "EdDSA" })),
  "dpop.key_size": proveWith(() => ({
    alg: "RS256",
    jwk: { kty: "RSA", n: "x".repeat(1400), e: "AQAB" },
  })),
  "dpop.signature": proveWith(({ other }) => ({ jwk: other.jwk })),
  "dpop.jti": prove({ claims: { jti: undefined } }),
  "dpop.htm": prove({ claims: { htm: "GET" } }),
  "dpop.htu": prove({ claims: { htu: "https://other.test/" } }),
  "dpop.iat": prove({ claims: { iat: undefined } }),
  "dpop.fresh": prove({ now: 0 }),
  "dpop.nonce": { settings: { dpopNonces: true }, play: prove({}) },
  "dpop.unused": async (kit) => {
    const DPoP = await proofIn(kit);
    await proof(DPoP)(kit);
    await proof(DPoP)(kit);
  },
};

/** The rules of the userinfo endpoint, in their order. */
export const userinfoRows: BrokenRules = {
  "token.sent": (kit) => kit.get("/oauth2/userinfo"),
  "token.form": userinfo("Bearer ?"),
  "token.once": (kit) =>
    kit.post("/oauth2/userinfo", { access_token: "a" }, { Authorization: "Bearer a" }),
  "token.access": async (kit) => await userinfo(`Bearer ${(await kit.tokens()).id_token}`)(kit),
  "token.active": userinfo("Bearer a"),
  "token.audience": async (kit) => {
    const { access_token } = await kit.tokens({ resource: api, scope: "openid read" });
    await userinfo(`Bearer ${access_token}`)(kit);
  },
  "token.downgrade": userinfoWith({}, "ES256", "Bearer"),
  "token.unbound": async (kit) => await userinfo(`DPoP ${(await kit.tokens()).access_token}`)(kit),
  "dpop.ath": userinfoWith({ claims: { ath: "a" } }),
  "dpop.token_key": userinfoWith({}, "ES256 another"),
  "dpop.present": async (kit) => await userinfo(`DPoP ${await boundToken(kit)}`)(kit),
  "token.openid": async (kit) =>
    await userinfo(`Bearer ${(await kit.tokens({ scope: "read" })).access_token}`)(kit),
};

/** The rules of introspection and revocation. */
export const tokenStateRows: BrokenRules = {
  "introspection.client": post("/oauth2/introspect", { token: "a" }),
  "introspection.token": post("/oauth2/introspect", {}, service),
  "revocation.token": post("/oauth2/revoke", {}),
  "revocation.client": async (kit) => {
    const { access_token: token } = await kit.tokens();
    await post("/oauth2/revoke", { token, client_id: "other-spa" })(kit);
  },
};

const initialAccess = { registration: { initialAccessToken } };

/** Changes the registration of a client. */
function changeMetadata(changes: object): Play<RuleLab> {
  return async (kit) => {
    const { body } = await register(kit);
    const metadata = { client_id: body.client_id, redirect_uris: [redirectUri], ...changes };
    const { registration_client_uri: uri, registration_access_token: own } = body;
    await sendJson(kit, "PUT", uri, metadata, own);
  };
}

/** Changes the registration of a client with a token. */
function changeRegistration(token: string | undefined): Play<RuleLab> {
  return async (kit) => {
    const { body } = await register(kit);
    await sendJson(kit, "PUT", body.registration_client_uri, body, token);
  };
}

/** The rules of registration, in their order. */
export const registrationRows: BrokenRules = {
  "initial_access.present": { settings: initialAccess, play: (kit) => register(kit) },
  "initial_access.right": { settings: initialAccess, play: (kit) => register(kit, {}, "a") },
  "registration.object": (kit) => sendJson(kit, "POST", `${kit.issuer}/oauth2/register`, []),
  "registration.software_statement": (kit) => register(kit, { software_statement: "a" }),
  "registration.redirect_uris": (kit) => register(kit, { redirect_uris: [`${redirectUri}#a`] }),
  "registration.metadata": (kit) => register(kit, { grant_types: ["password"] }),
  "registration.sector_reachable": {
    settings: { fetchUntrusted: () => Promise.reject(new OutboundError("refused")) },
    play: (kit) => register(kit, { sector_identifier_uri: "https://sector.example/" }),
  },
  "registration.same_id": changeMetadata({ client_id: "other" }),
  "registration.same_secret": changeMetadata({ client_secret: "own" }),
  "registration_access.present": changeRegistration(undefined),
  "registration_access.right": changeRegistration("a"),
};

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

const grantTypes = [
  ...featureFixtures.flatMap((each) => each.grantTypes ?? []),
  "client_credentials",
];

/** Requests with tokens that succeed. */
export const tokenUseSuccesses: BrokenRules = {
  "userinfo": async (kit) => await userinfo(`Bearer ${(await kit.tokens()).access_token}`)(kit),
  "userinfo with a key": userinfoWith({}),
  "introspection": post("/oauth2/introspect", { token: "a" }, service),
  "revocation": async (kit) =>
    await post("/oauth2/revoke", { token: (await kit.tokens()).access_token })(kit),
  "registration": async (kit) => {
    const { body } = await register(kit);
    const { client_id, redirect_uris, registration_access_token: own } = body;
    const changed = { client_id, redirect_uris, token_endpoint_auth_method: "none" };
    const uri = body.registration_client_uri;
    await sendJson(kit, "PUT", uri, changed, own);
    for (const method of ["GET", "DELETE"]) {
      await kit.server.fetch(new Request(uri, { method, headers: bearer(own) }));
    }
  },
  "a registered client, which may have some resources only": {
    settings: {
      registration: {
        initialAccessToken,
        trusted: false,
        allow: { scopes: "any", resources: [], grantTypes },
      },
    },
    async play(kit) {
      const { body } = await register(kit, {
        grant_types: grantTypes,
        token_endpoint_auth_method: "client_secret_basic",
      }, initialAccessToken);
      const headers = basic(body.client_id, body.client_secret);
      await token({}, headers)(kit);
      for (const { begin } of featureFixtures) {
        await begin?.(kit, { client_id: undefined, scope: "read" }, headers);
      }
    },
  },
};
