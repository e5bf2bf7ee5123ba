import { compactVerify, decodeProtectedHeader, importJWK, type JWK } from "jose";
import { createHmac } from "node:crypto";
import { attackerRsaKey } from "../../../src/lab/tokens/attacker_key.ts";
import { type Api, Refusal, requiredScope } from "./api.ts";
import type { ApiBug } from "./bug.ts";
import { type Json, readClaims } from "./site.ts";

/** A mistake in the API. */
type Row = Omit<ApiBug, "kind">;

const nothing = () => {};
type Steps = typeof Api.prototype;
const steps = (api: Api): Steps => Object.getPrototypeOf(api);
const verifyOf = (api: Api, token: string, header: Json) =>
  steps(api).verifySignature.call(api, token, header);
const readOf = (api: Api, request: Request) => steps(api).readToken.call(api, request);

/** Mistakes with the claims of a token. */
const claimBugs: readonly Row[] = [
  {
    bug: "an expired token works",
    named: ["expired"],
    change: () => ({ checkExp: nothing }),
  },
  {
    bug: "a token works for a day after it has expired",
    named: ["expired"],
    change: (api) => ({
      checkExp({ exp }) {
        if (!(exp > api.seconds() - 86_400)) throw new Refusal("invalid_token");
      },
    }),
  },
  {
    bug: "a token without an end works",
    // Its tokens have the type at+jwt; for others, the end is the issuer's business.
    drill: { rfc9068: true },
    named: ["expired", "without_exp", "no_exp"],
    change: (api) => ({
      checkExp({ exp }) {
        if (exp < api.seconds()) throw new Refusal("invalid_token");
      },
    }),
  },
  {
    bug: "a token works before its time",
    named: ["not_yet_valid"],
    change: () => ({ checkNbf: nothing }),
  },
  {
    bug: "a token may come from any issuer",
    named: ["wrong_issuer"],
    change: () => ({ checkIss: nothing }),
  },
  {
    bug: "the issuer has to begin with ours",
    named: ["wrong_issuer", "issuer_prefix", "similar_issuer"],
    change: (api) => ({
      checkIss({ iss }) {
        if (!String(iss).startsWith(api.settings.issuer)) throw new Refusal("invalid_token");
      },
    }),
  },
  {
    bug: "the issuer has to end with ours",
    named: ["wrong_issuer", "issuer_suffix", "similar_issuer"],
    change: (api) => ({
      checkIss({ iss }) {
        const host = api.settings.issuer.replace("http://", "");
        if (!String(iss).endsWith(host)) throw new Refusal("invalid_token");
      },
    }),
  },
  {
    bug: "a token may be for any audience",
    named: ["wrong_audience"],
    change: () => ({ checkAud: nothing, checkType: nothing }),
  },
  {
    bug: "the audience has to begin with ours",
    named: ["wrong_audience", "audience_prefix", "similar_audience"],
    change: (api) => ({
      checkAud({ aud }) {
        const isOurs = [aud].flat().some((each) => String(each).startsWith(api.settings.url));
        if (!isOurs) throw new Refusal("invalid_token");
      },
    }),
  },
  {
    bug: "the audience has to be a part of ours, such as its host",
    named: ["wrong_audience", "audience_prefix", "similar_audience"],
    change: (api) => ({
      checkAud({ aud }) {
        const isOurs = [aud].flat().some((each) => api.settings.url.startsWith(String(each)));
        if (!isOurs) throw new Refusal("invalid_token");
      },
    }),
  },
  {
    bug: "the audience has to contain ours",
    named: ["wrong_audience", "audience_suffix", "similar_audience"],
    change: (api) => ({
      checkAud({ aud }) {
        if (!JSON.stringify(aud ?? "").includes(api.settings.url)) {
          throw new Refusal("invalid_token");
        }
      },
    }),
  },
  {
    bug: "a token without an audience works",
    named: ["wrong_audience", "without_audience", "no_audience"],
    change: (api) => ({
      checkAud({ aud = api.settings.url }) {
        if (![aud].flat().includes(api.settings.url)) throw new Refusal("invalid_token");
      },
    }),
  },
  {
    bug: "a token for several APIs does not work",
    named: ["audience_list"],
    change: (api) => ({
      checkAud({ aud }) {
        if (aud !== api.settings.url) throw new Refusal("invalid_token");
      },
    }),
  },
  {
    bug: "an ID token works",
    named: ["id_token"],
    change: (api) => ({
      checkType: nothing,
      checkAud({ aud, nonce, at_hash, auth_time }) {
        const isId = [nonce, at_hash, auth_time].some(Boolean) || aud !== api.settings.url;
        if (isId && aud === "another-api") throw new Refusal("invalid_token");
        if (!isId) return;
        if (![aud].flat().some((each) => /^(demo-|web)/.test(each))) {
          steps(api).checkAud.call(api, { aud });
        }
      },
      checkScope({ scope }) {
        if (scope !== undefined) steps(api).checkScope.call(api, { scope });
      },
    }),
  },
  {
    bug: "any signed token of the issuer works, whatever its type",
    named: ["wrong_type", "logout_token", "id_token", "wrong_audience"],
    change: (api) => ({
      checkType: nothing,
      checkAud({ aud, events }) {
        if (events === undefined) steps(api).checkAud.call(api, { aud });
      },
      checkScope(claims) {
        if (claims.events === undefined) steps(api).checkScope.call(api, claims);
      },
    }),
  },
  {
    bug: "any user reads the orders of this one",
    named: ["other_user"],
    change: () => ({ checkOwner: nothing }),
  },
  {
    bug: "a user reads the orders of those whose ids begin with theirs",
    named: ["other_user"],
    change: (api) => ({
      checkOwner({ sub }) {
        if (!api.owner.startsWith(sub)) throw new Refusal("access_denied", 403);
      },
    }),
  },
  {
    bug: "a client with a token of its own reads the orders of a user",
    named: ["client_token", "own_token", "other_user"],
    change: (api) => ({
      checkOwner({ sub, client_id }) {
        if (sub !== client_id && sub !== api.owner) throw new Refusal("access_denied", 403);
      },
    }),
  },
  {
    bug: "of two members with one name, the first one counts for the time",
    named: ["duplicate_members"],
    change: () => ({
      parseClaims(token) {
        const [, payload = ""] = token.split(".");
        const text = atob(payload.replaceAll("-", "+").replaceAll("_", "/"));
        const first = /"exp":(\d+)/.exec(text)?.[1];
        return { ...readClaims(token), ...first !== undefined && { exp: Number(first) } };
      },
    }),
  },
];

/** Mistakes with the signature and its key. */
const signatureBugs: readonly Row[] = [
  {
    bug: "a token is decoded, and its signature not verified",
    named: ["foreign_key", "alg_none"],
    change: () => ({ verifySignature: () => Promise.resolve() }),
  },
  {
    bug: "a token without a signature works",
    named: ["alg_none"],
    change: (api) => ({
      verifySignature: async (token, header) => {
        if (header.alg !== "none") await verifyOf(api, token, header);
      },
    }),
  },
  {
    bug: "a token without a signature works, if its alg is in capitals",
    named: ["alg_none"],
    change: (api) => ({
      verifySignature: async (token, header) => {
        if (header.alg === "none") throw new Refusal("invalid_token");
        if (header.alg.toLowerCase() !== "none") await verifyOf(api, token, header);
      },
    }),
  },
  {
    bug: "a token may be signed with HS256 and the public key in PEM",
    named: ["hs256_public_key"],
    change: (api) => ({
      async verifySignature(token, header) {
        const key = await api.findKey(header);
        if (header.alg !== "HS256" || !key) return await verifyOf(api, token, header);
        const pem = await pemOf(key);
        if (![pem, pem.trimEnd()].some((each) => isMac(token, each))) {
          throw new Refusal("invalid_token");
        }
      },
    }),
  },
  {
    bug: "a key of the tests is still trusted",
    named: ["foreign_key"],
    change: (api) => ({
      async verifySignature(token, header) {
        const { kty, n, e } = attackerRsaKey;
        const key = await importJWK({ kty, n, e } as JWK, "RS256");
        await compactVerify(token, key).catch(() => verifyOf(api, token, header));
      },
    }),
  },
  {
    bug: "a token may bring its key in its header",
    named: ["header_key"],
    change: withKey(({ jwk }) => jwk),
  },
  {
    bug: "a token may name the URL of its keys",
    named: ["header_key"],
    change: withKey(async ({ jku, kid }, api) => {
      if (typeof jku !== "string") return undefined;
      const response = await api.fetch(jku).catch(() => undefined);
      const { keys = [] } = await response?.json().catch(() => ({})) ?? {};
      return keys.find((key: JWK) => key.kid === kid) ?? keys[0];
    }),
  },
  {
    bug: "a token may bring its certificate in its header",
    named: ["header_key", "header_certificate"],
    change: withKey(async ({ x5c, alg }) => {
      const [certificate] = x5c ?? [];
      if (certificate === undefined) return undefined;
      const { X509Certificate } = await import("node:crypto");
      const { publicKey } = new X509Certificate(
        `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----`,
      );
      return { ...publicKey.export({ format: "jwk" }) as JWK, alg };
    }),
  },
  {
    bug: "an unknown critical header is ignored",
    named: ["unknown_crit"],
    change: (api) => ({
      async verifySignature(token, header) {
        const key = await api.findKey(header);
        if (!key) throw new Refusal("invalid_token");
        const crit = Object.fromEntries((header.crit ?? []).map((name: string) => [name, true]));
        const alg = key.kty === "RSA" ? "RS256" : "EdDSA";
        await compactVerify(token, await importJWK(key, alg), { algorithms: [alg], crit });
      },
    }),
  },
  {
    bug: "a kid is the path of a file with the key",
    named: ["hostile_kid"],
    change: (api) => ({
      async verifySignature(token, header) {
        const { kid = "" } = header;
        if (!/\/dev\/null$/.test(kid)) return await verifyOf(api, token, header);
        await compactVerify(token, new TextEncoder().encode("\0")).catch(() => {
          if (!isMac(token, "")) throw new Refusal("invalid_token");
        });
      },
    }),
  },
  {
    bug: "a kid is a part of a query to the database",
    named: ["hostile_kid"],
    change: (api) => ({
      async verifySignature(token, header) {
        if (/' OR '/i.test(header.kid)) return;
        await verifyOf(api, token, header);
      },
    }),
  },
  {
    bug: "a long kid is a server error",
    named: ["hostile_kid", "server_error"],
    change: (api) => ({
      async verifySignature(token, header) {
        if (String(header.kid).length > 255) throw new Refusal("server_error", 500);
        await verifyOf(api, token, header);
      },
    }),
  },
  {
    bug: "new keys of the server are never fetched",
    named: ["new_key"],
    change: (api) => ({
      async publishedKey(kid) {
        if (api.keys.size === 0) await api.fetchKeys();
        return api.keys.get(kid);
      },
    }),
  },
  {
    bug: "the type of a token is compared as a text",
    named: ["typ"],
    change: () => ({
      checkType({ typ }) {
        if (typ !== "at+jwt") throw new Refusal("invalid_token");
      },
    }),
  },
];

/** Mistakes with the request. */
const requestBugs: readonly Row[] = [
  {
    bug: "a request without a token works",
    named: ["no_token"],
    change: (api) => ({
      authorize: (request) =>
        request.headers.has("Authorization")
          ? steps(api).authorize.call(api, request)
          : Promise.resolve({ sub: "alice" }),
    }),
  },
  {
    bug: "any text that is no JWT works",
    named: ["unknown_token", "malformed"],
    change: (api) => ({
      readClaims: (token) =>
        token.includes(".")
          ? api.readJwt(token)
          : Promise.resolve({ sub: api.owner, scope: requiredScope.join(" ") }),
    }),
  },
  {
    bug: "a token in the query works",
    named: ["query"],
    change: (api) => ({
      async readToken(request) {
        const token = new URL(request.url).searchParams.get("access_token");
        return token === null ? await readOf(api, request) : { scheme: "bearer", token };
      },
    }),
  },
  {
    bug: "a token may be in the body, and of two tokens the one in the header counts",
    named: ["two_places"],
    change: (api) => ({
      checkBody: () => Promise.resolve(),
      async readToken(request) {
        if (request.headers.has("Authorization")) return await readOf(api, request);
        const token = new URLSearchParams(await request.clone().text()).get("access_token");
        return token === null ? await readOf(api, request) : { scheme: "bearer", token };
      },
    }),
  },
  {
    bug: "what follows the token in its header is ignored",
    named: ["header_form"],
    change: () => ({ parseHeader: (header) => /^\s*(\w+)\s+([^\s,]+)/.exec(header) }),
  },
  {
    bug: "the scheme has to be written with a capital",
    named: ["scheme_case"],
    change: () => ({ parseHeader: (header) => /^(Bearer|DPoP) ([\w.~+/-]+=*)$/.exec(header) }),
  },
  {
    bug: "a fourth part of a token is ignored",
    named: ["malformed"],
    change: (api) => ({
      readJwt: (token) => steps(api).readJwt.call(api, token.split(".").slice(0, 3).join(".")),
    }),
  },
  {
    bug: "a token that is no JSON is a server error",
    named: ["malformed", "server_error"],
    change: (api) => ({
      refuse: (cause) =>
        cause instanceof Refusal
          ? steps(api).refuse.call(api, cause)
          : new Response("Internal Server Error", { status: 500 }),
    }),
  },
  {
    bug: "a large token is a server error",
    named: ["large_token"],
    change: (api) => ({
      readJwt(token) {
        if (token.length > 60_000) throw new Refusal("server_error", 500);
        return steps(api).readJwt.call(api, token);
      },
    }),
  },
];

/** Mistakes with the scope. */
const scopeBugs: readonly Row[] = [
  {
    bug: "the scope is not read",
    named: ["no_scope", "small_scope"],
    change: () => ({ checkScope: nothing }),
  },
  {
    bug: "a token without a scope works",
    named: ["no_scope"],
    change: (api) => ({
      checkScope(claims) {
        if (claims.scope !== undefined) steps(api).checkScope.call(api, claims);
      },
    }),
  },
  {
    bug: "one of the required scopes is enough",
    named: ["small_scope"],
    change: () => ({
      checkScope({ scope = "" }) {
        const granted = String(scope).split(" ");
        if (!requiredScope.some((each) => granted.includes(each))) {
          throw new Refusal("insufficient_scope", 403);
        }
      },
    }),
  },
  {
    bug: "a scope counts if its text is a part of another one",
    named: ["small_scope"],
    change: () => ({
      checkScope({ scope = "" }) {
        if (!requiredScope.every((each) => String(scope).includes(each))) {
          throw new Refusal("insufficient_scope", 403);
        }
      },
    }),
  },
  {
    bug: "the scopes must come in our order",
    named: ["scope_order"],
    change: () => ({
      checkScope({ scope }) {
        if (scope !== requiredScope.join(" ")) throw new Refusal("insufficient_scope", 403);
      },
    }),
  },
  {
    bug: "a missing scope is a plain 401",
    named: ["scope_response"],
    change: (api) => ({
      checkScope(claims) {
        try {
          steps(api).checkScope.call(api, claims);
        } catch {
          throw new Refusal("invalid_token");
        }
      },
    }),
  },
];

/** Mistakes with tokens that are bound to a key. */
const bindingBugs: readonly Row[] = [
  {
    bug: "a token that is bound by DPoP works as a bearer token",
    named: ["dpop_as_bearer"],
    change: (api) => ({
      checkScheme(scheme, jkt) {
        if (scheme === "dpop") steps(api).checkScheme.call(api, scheme, jkt);
      },
    }),
  },
  {
    bug: "an API without DPoP ignores that a token is bound",
    configuration: { dpop: false },
    named: ["dpop_as_bearer", "bound_as_bearer"],
    change: (api) => ({
      async checkPossession(_request, _presented, { cnf = {} }) {
        api.checkCertificate(cnf);
      },
    }),
  },
  {
    bug: "a bound token works without a proof",
    named: ["dpop_as_bearer"],
    change: () => ({ noProof: nothing }),
  },
  {
    bug: "the proof of another key works",
    named: ["dpop_other_key"],
    change: () => ({ checkProofKey: nothing }),
  },
  {
    bug: "a proof for another method works",
    named: ["dpop_other_method"],
    change: () => ({ checkProofMethod: nothing }),
  },
  {
    bug: "a proof for another URL works",
    named: ["dpop_other_url"],
    change: () => ({ checkProofUrl: nothing }),
  },
  {
    bug: "a proof for any URL below this one works",
    named: ["dpop_other_url"],
    change: (api) => ({
      checkProofUrl({ htu }) {
        if (!htu.startsWith(api.settings.url)) throw new Refusal("invalid_dpop_proof");
      },
    }),
  },
  {
    bug: "an old proof works",
    named: ["dpop_replay"],
    change: () => ({ checkProofAge: nothing }),
  },
  {
    bug: "a proof works twice",
    named: ["dpop_replay", "dpop_used_twice"],
    change: () => ({ checkProofIsNew: nothing }),
  },
  {
    bug: "a proof for another token works",
    named: ["dpop_other_token"],
    change: () => ({ checkProofToken: nothing }),
  },
  {
    bug: "a token that is bound to a certificate works without it",
    named: ["without_certificate"],
    change: () => ({ checkCertificate: nothing }),
  },
];

/** Mistakes with what the server says, and with what the API says. */
const responseBugs: readonly Row[] = [
  {
    bug: "what the server says of a token is kept for an hour",
    configuration: { introspects: true },
    named: ["revoked_opaque"],
    change(api) {
      const known = new Map<string, Json>();
      return {
        async askServer(token) {
          const claims = known.get(token) ?? await steps(api).askServer.call(api, token);
          known.set(token, claims);
          return claims;
        },
      };
    },
  },
  {
    bug: "a token that is not active works, if the server responds",
    configuration: { introspects: true },
    named: ["unknown_token", "revoked_opaque", "expired"],
    change: (api) => ({
      async introspect(token) {
        const claims = await api.askServer(token);
        return { sub: api.owner, scope: requiredScope.join(" "), ...claims };
      },
    }),
  },
  {
    bug: "a token that is signed works after it was checked once, also when it has expired",
    named: ["expired", "cached_token", "expired_later"],
    change(api) {
      const known = new Map<string, Json>();
      return {
        async readJwt(token) {
          const claims = known.get(token) ?? await steps(api).readJwt.call(api, token);
          known.set(token, claims);
          return claims;
        },
      };
    },
  },
  {
    bug: "a refusal has no challenge",
    named: ["challenge"],
    change: () => ({ challengeHeaders: () => ({}) }),
  },
  {
    bug: "the syntax of the challenge is wrong",
    named: ["challenge_syntax"],
    change: () => ({
      challengeHeaders: () => ({ "WWW-Authenticate": "Bearer error=invalid token" }),
    }),
  },
  {
    bug: "the challenge does not lead to the metadata",
    named: ["resource_metadata"],
    change: (api) => ({
      challengeHeaders: (code, status) => {
        const headers = steps(api).challengeHeaders.call(api, code, status);
        const challenge = headers["WWW-Authenticate"] ?? "";
        return { "WWW-Authenticate": challenge.replace(/,? resource_metadata="[^"]*"/, "") };
      },
    }),
  },
  {
    bug: "a refusal is a 403",
    named: ["unauthorized"],
    change: (api) => ({
      refuse: (cause) =>
        steps(api).refuse.call(
          api,
          cause instanceof Refusal ? new Refusal(cause.code, 403) : new Refusal("denied", 403),
        ),
    }),
  },
  {
    bug: "a refusal shows where in the program it happened",
    named: ["stack_trace"],
    change: (api) => ({
      refuse(cause) {
        const { status, headers } = steps(api).refuse.call(api, cause);
        const stack = "JWTClaimValidationFailed: no\n    at check (/srv/shop/api.js:12:7)";
        return Response.json({ error: "invalid_token", stack }, { status, headers });
      },
    }),
  },
  {
    bug: "a page of Express shows where in the program it happened",
    named: ["stack_trace"],
    change: (api) => ({
      refuse(cause) {
        const { status, headers } = steps(api).refuse.call(api, cause);
        const html = "<!DOCTYPE html><html><body><pre>Error: no<br> &nbsp; &nbsp;at check " +
          "(file:///srv/shop/api.js:12:7)</pre></body></html>";
        return new Response(html, {
          status,
          headers: { ...Object.fromEntries(headers), "Content-Type": "text/html" },
        });
      },
    }),
  },
];

export const apiBugs: readonly ApiBug[] = [
  ...claimBugs,
  ...signatureBugs,
  ...requestBugs,
  ...scopeBugs,
  ...bindingBugs,
  ...responseBugs,
].map((bug) => ({ kind: "api", ...bug }));

function withKey(
  find: (header: Json, api: Api) => JWK | undefined | Promise<JWK | undefined>,
): ApiBug["change"] {
  return (api) => ({
    async verifySignature(token, header) {
      const key = await find(decodeProtectedHeader(token) as Json, api);
      if (key === undefined) return await verifyOf(api, token, header);
      await compactVerify(token, await importJWK(key, header.alg));
    },
  });
}

function isMac(token: string, secret: string): boolean {
  const at = token.lastIndexOf(".");
  const mac = createHmac("sha256", secret).update(token.slice(0, at)).digest("base64url");
  return mac === token.slice(at + 1);
}

async function pemOf(key: JWK): Promise<string> {
  const imported = await importJWK(key, "RS256", { extractable: true }) as CryptoKey;
  const bytes = new Uint8Array(await crypto.subtle.exportKey("spki", imported));
  const text = btoa(String.fromCharCode(...bytes)).replaceAll(/.{64}(?!$)/g, "$&\n");
  return `-----BEGIN PUBLIC KEY-----\n${text}\n-----END PUBLIC KEY-----\n`;
}
