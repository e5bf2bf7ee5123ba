import { base64url } from "jose";
import { makeProof, type ProofChanges, type ProofKey, proofKey } from "../dpop.ts";
import { type Play, token } from "../refusals.ts";
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

/** Requests with tokens that succeed. */
export const tokenUseSuccesses: BrokenRules = {
  "userinfo": async (kit) => await userinfo(`Bearer ${(await kit.tokens()).access_token}`)(kit),
  "userinfo with a key": userinfoWith({}),
};
