import { compactVerify, decodeProtectedHeader, importJWK, type JWK } from "jose";
import { createHmac } from "node:crypto";
import type { ApplicationBug } from "./bug.ts";
import {
  clientId,
  clientSecret,
  type Json,
  Problem,
  readClaims,
  redirect,
  type Site,
} from "./site.ts";

type Row = Omit<ApplicationBug, "kind">;

const nothing = () => {};

/** Mistakes with the authorization request and its response. */
const responseBugs: readonly Row[] = [
  {
    bug: "the state is not compared: the newest login of the browser goes on",
    named: ["callback.wrong_state", "callback.without_state"],
    change: () => ({ takePending: ({ pending }) => pending.at(-1) ?? missing() }),
  },
  {
    bug: "the state is compared only if there is one",
    named: ["callback.without_state"],
    change: (site) => ({
      takePending: (session, parameters) =>
        parameters.has("state")
          ? take(site, session, parameters)
          : session.pending.at(-1) ?? missing(),
    }),
  },
  {
    bug: "the state may be that of any browser",
    named: ["callback.fixated_session", "callback.foreign_session", "callback.other_browser"],
    change: (site) => ({
      sessionOfNobody: () => site.newSession(),
      takePending(_session, parameters) {
        const all = [...site.sessions.values()].flatMap(({ pending }) => pending);
        return all.find(({ state }) => state === parameters.get("state")) ?? missing();
      },
    }),
  },
  {
    bug: "the state is a constant",
    named: ["state-reused"],
    change: () => ({ newState: () => "state" }),
  },
  {
    bug: "the nonce is a constant",
    named: ["nonce-reused"],
    change: () => ({ newNonce: () => "a-nonce-that-never-changes" }),
  },
  {
    bug: "the verifier is a constant",
    named: ["challenge-reused"],
    change: () => ({ newVerifier: () => "a-verifier-that-is-long-enough-and-never-changes" }),
  },
  {
    bug: "state, nonce and verifier are made once for each browser",
    named: ["callback.fixated_session", "state-reused", "nonce-reused", "challenge-reused"],
    change(site) {
      const made = { state: "1f2e3d4c", nonce: crypto.randomUUID(), verifier: "v".repeat(50) };
      return {
        newState: () => made.state,
        newNonce: () => made.nonce,
        newVerifier: () => made.verifier,
        sessionOfNobody: () => site.newSession(),
      };
    },
  },
  {
    bug: "nothing ties the response to the browser: no state, nonce or PKCE",
    configuration: { pkce: false, nonce: false },
    named: [
      "challenge-missing",
      "callback.wrong_state",
      "callback.without_state",
      "callback.foreign_code",
      "callback.fixated_session",
    ],
    change: (site) => ({
      async authorizationParameters(pending) {
        const { state: _, ...others } = await parametersOf(site, pending);
        return others;
      },
      takePending: ({ pending }) => pending.at(-1) ?? missing(),
    }),
  },
  {
    bug: "without PKCE, the nonce is not compared",
    configuration: { pkce: false },
    named: ["id_token.wrong_nonce", "id_token.without_nonce", "callback.foreign_code"],
    change: () => ({ checkNonce: nothing }),
  },
  {
    bug: "with two providers on one redirect URI, the issuer is not compared",
    configuration: { otherIssuer: true },
    named: ["callback.wrong_iss", "callback.without_iss"],
    change: () => ({ checkIssuer: nothing }),
  },
  {
    bug: "with two providers on one redirect URI, a missing issuer passes",
    configuration: { otherIssuer: true },
    named: ["callback.without_iss"],
    change: (site) => ({
      checkIssuer(parameters) {
        const iss = parameters.get("iss");
        if (iss !== null && iss !== site.settings.issuer) throw new Problem("Wrong issuer");
      },
    }),
  },
  {
    bug: "with two providers on one redirect URI, the issuer is compared without its slash",
    configuration: { otherIssuer: true },
    named: ["callback.iss_with_slash"],
    change: (site) => ({
      checkIssuer(parameters) {
        const bare = (text: string | null) => text?.replace(/\/$/, "");
        if (bare(parameters.get("iss")) !== bare(site.settings.issuer)) {
          throw new Problem("Wrong issuer");
        }
      },
    }),
  },
  {
    bug: "the callback of another connection works as well",
    configuration: { otherCallback: true },
    named: ["callback.other_redirect_uri"],
    change: () => ({ isCallback: ({ pathname }) => pathname.startsWith("/callback") }),
  },
  {
    bug: "a denied login goes on as a guest",
    named: ["callback.denied"],
    change: (site) => ({
      loginFailed() {
        const session = site.newSession();
        session.account = { number: 0, name: "Guest", email: "" };
        return redirect("/account", site.sessionCookie(session.id));
      },
    }),
  },
  {
    bug: "the client secret is in the authorization request",
    named: ["secret-in-uri", "secret_in_url"],
    change: (site) => ({
      authorizationParameters: async (pending) => ({
        ...await parametersOf(site, pending),
        client_secret: clientSecret,
      }),
    }),
  },
  {
    bug: "the challenge is plain",
    named: ["plain-challenge", "pkce."],
    change: (site) => ({
      authorizationParameters: async (pending) => ({
        ...await parametersOf(site, pending),
        code_challenge: pending.verifier,
        code_challenge_method: "plain",
      }),
    }),
  },
  {
    bug: "the verifier is too short",
    named: ["short-verifier", "pkce."],
    change: () => ({ newVerifier: () => crypto.randomUUID().slice(0, 20) }),
  },
  {
    bug: "the signed response is decoded, and its signature not verified",
    configuration: { responseMode: "jwt" },
    named: ["jarm."],
    change: () => ({ verifyJarm: (response) => Promise.resolve(readClaims(response)) }),
  },
  {
    bug: "a signed response without a signature passes",
    configuration: { responseMode: "jwt" },
    named: ["jarm.alg_none"],
    change: (site) => ({ verifyJarm: unlessNone(site) }),
  },
  {
    bug: "the audience of a signed response is not compared",
    configuration: { responseMode: "jwt" },
    named: ["jarm.wrong_aud", "jarm.without_aud"],
    change: (site) => ({ checkJarm: (claims) => check(site, { ...claims, aud: clientId }) }),
  },
  {
    bug: "a signed response works after its time",
    configuration: { responseMode: "jwt" },
    named: ["jarm.expired", "jarm.without_exp"],
    change: (site) => ({ checkJarm: (claims) => check(site, { ...claims, exp: Infinity }) }),
  },
];

/** Mistakes with the ID token. */
const idTokenBugs: readonly Row[] = [
  {
    bug: "the ID token is not validated",
    named: ["id_token."],
    change: () => ({
      readIdToken: (token) => Promise.resolve(readClaims(token ?? missing())),
    }),
  },
  {
    bug: "the nonce is not compared",
    named: ["id_token.wrong_nonce", "id_token.without_nonce"],
    change: () => ({ checkNonce: nothing }),
  },
  {
    bug: "the nonce is compared only if there is one",
    named: ["id_token.without_nonce"],
    change: () => ({
      checkNonce({ nonce }, expected) {
        if (nonce !== undefined && nonce !== expected) throw new Problem("Wrong nonce");
      },
    }),
  },
  {
    bug: "a wrong signature is logged, and the login goes on",
    named: signatureFindings(),
    change: (site) => ({
      verifyIdToken: (token) => site.verify(token).catch(() => readClaims(token)),
    }),
  },
  {
    bug: "an ID token without a signature passes",
    named: ["id_token.alg_none"],
    change: (site) => ({ verifyIdToken: unlessNone(site) }),
  },
  {
    bug: "an ID token may be signed with HS256 and the public key",
    named: ["id_token.hs256_with_public_key"],
    change: (site) => ({
      async verifyIdToken(token) {
        const { alg, kid = "" } = decodeProtectedHeader(token);
        const key = await site.findKey(kid);
        const pem = key && await pemOf(key);
        const isSigned = pem !== undefined && isMac(token, pem) ||
          key !== undefined && isMac(token, JSON.stringify(key));
        return alg === "HS256" && isSigned ? readClaims(token) : await site.verify(token);
      },
    }),
  },
  {
    bug: "an ID token may be signed with HS256 and the client secret",
    named: ["id_token.hs256_with_secret", "id_token.hs256_with_client_secret"],
    change: (site) => ({
      async verifyIdToken(token) {
        const { alg } = decodeProtectedHeader(token);
        return alg === "HS256" && isMac(token, clientSecret)
          ? readClaims(token)
          : await site.verify(token);
      },
    }),
  },
  {
    bug: "an ID token may bring its key in its header",
    named: ["id_token.header_jwk", "id_token.with_jwk", "id_token.header_key"],
    change: (site) => ({ verifyIdToken: withHeaderKey(site, ({ jwk }) => jwk) }),
  },
  {
    bug: "an ID token may name the URL of its key",
    named: ["id_token.header_jku", "id_token.with_jku", "id_token.header_key"],
    change: (site) => ({
      verifyIdToken: withHeaderKey(site, async ({ jku, kid }) => {
        if (typeof jku !== "string") return undefined;
        const response = await site.fetch(jku).catch(() => undefined);
        const { keys = [] } = response?.ok ? await response.json() : {};
        return keys.find((key: JWK) => key.kid === kid) ?? keys[0];
      }),
    }),
  },
  {
    bug: "the issuer of the ID token is not compared",
    named: ["id_token.wrong_iss", "id_token.without_iss"],
    change: () => ({ checkIss: nothing }),
  },
  {
    bug: "the audience of the ID token is not compared",
    named: ["id_token.wrong_aud", "id_token.without_aud"],
    change: () => ({ checkAud: nothing }),
  },
  {
    bug: "the issuer of the ID token has to begin with ours",
    named: ["id_token.wrong_iss"],
    change: (site) => ({
      checkIss({ iss = "" }) {
        if (!iss.startsWith(site.settings.issuer)) throw new Problem("Wrong issuer");
      },
    }),
  },
  {
    bug: "the audience of the ID token has to contain our id",
    named: ["id_token.wrong_aud"],
    change: () => ({
      checkAud({ aud }) {
        if (!String(aud).includes(clientId)) throw new Problem("Wrong audience");
      },
    }),
  },
  {
    bug: "an ID token without an audience passes",
    named: ["id_token.without_aud"],
    change: () => ({
      checkAud({ aud = clientId }) {
        if ([aud].flat().join() !== clientId) throw new Problem("Wrong audience");
      },
    }),
  },
  {
    bug: "an ID token without an issuer passes",
    named: ["id_token.without_iss"],
    change: (site) => ({
      checkIss({ iss = site.settings.issuer }) {
        if (iss !== site.settings.issuer) throw new Problem("Wrong issuer");
      },
    }),
  },
  {
    bug: "the authorized party is not compared",
    named: ["id_token.wrong_azp", "id_token.foreign_azp", "id_token.other_azp"],
    change: () => ({ checkAzp: nothing }),
  },
  {
    bug: "an expired ID token passes",
    named: ["id_token.expired", "id_token.without_exp"],
    change: () => ({ checkExp: nothing }),
  },
  {
    bug: "an ID token passes for a day after it has expired",
    named: ["id_token.expired"],
    change: (site) => ({
      checkExp({ exp }) {
        if (!(exp > site.settings.now() / 1000 - 86_400)) throw new Problem("Expired");
      },
    }),
  },
  {
    bug: "an ID token without an end passes",
    named: ["id_token.without_exp"],
    change: (site) => ({
      checkExp({ exp }) {
        if (exp < site.settings.now() / 1000) throw new Problem("Expired");
      },
    }),
  },
  {
    bug: "an old sign-in passes, although a recent one was asked for",
    configuration: { maxAge: 300 },
    named: ["id_token.old_auth_time", "id_token.without_auth_time", "auth_time"],
    change: () => ({ checkAuthTime: nothing }),
  },
  {
    bug: "the keys of the server are fetched once, and never again",
    named: ["new_key"],
    change: (site) => ({
      async findKey(kid) {
        if (site.keys.size === 0) await site.fetchKeys();
        return site.keys.get(kid);
      },
    }),
  },
  {
    bug: "the keys of the server are fetched for each token",
    named: ["keys-fetched-each-time"],
    change: (site) => ({
      async findKey(kid) {
        await site.fetchKeys();
        return site.keys.get(kid);
      },
    }),
  },
];

/** Mistakes with tokens, userinfo and the server. */
const tokenBugs: readonly Row[] = [
  {
    bug: "the user of userinfo is not compared with that of the ID token",
    named: ["userinfo.wrong_sub", "userinfo.without_sub", "id_token.wrong_sub"],
    change: () => ({ checkUserinfo: nothing }),
  },
  {
    bug: "userinfo without a user passes",
    named: ["userinfo.without_sub"],
    change: () => ({
      checkUserinfo(info, { sub }) {
        if (info.sub !== undefined && info.sub !== sub) throw new Problem("Another user");
      },
    }),
  },
  {
    bug: "the account is that of userinfo, whoever the ID token is about",
    named: ["userinfo.wrong_sub", "userinfo.without_sub", "id_token.wrong_sub"],
    change: () => ({
      checkUserinfo: nothing,
      accountKey: ({ iss }, { sub }) => `${iss} ${sub}`,
    }),
  },
  {
    bug: "a code is redeemed twice",
    named: ["code-redeemed-twice", "code.unused"],
    change: (site) => ({
      async redeem(code, pending) {
        const tokens = await redeemOf(site, code, pending);
        await redeemOf(site, code, pending).catch(nothing);
        return tokens;
      },
    }),
  },
  {
    bug: "the access token is in the URL of userinfo",
    named: ["token-in-uri"],
    change: (site) => ({
      sendUserinfoRequest: (endpoint, { access_token }) =>
        site.fetch(`${endpoint}?access_token=${access_token}`),
      userinfo: async (tokens) => {
        const { userinfo_endpoint } = await site.metadata();
        await site.fetch(`${userinfo_endpoint}?access_token=${tokens.access_token}`);
        return readClaims(tokens.id_token);
      },
    }),
  },
  {
    bug: "a public client sends a secret",
    configuration: { client: "none" },
    named: ["secret-of-public-client", "client."],
    change: () => ({
      authentication: () =>
        Promise.resolve({ body: { client_id: clientId, client_secret: clientSecret } }),
    }),
  },
  {
    bug: "the issuer of the metadata is not compared",
    named: ["metadata.wrong_issuer", "foreign-metadata-believed"],
    change: () => ({ checkMetadata: nothing }),
  },
  {
    bug: "what the metadata names as its issuer is the issuer",
    named: ["metadata.wrong_issuer", "foreign-metadata-believed"],
    change: (site) => ({
      checkMetadata({ issuer }) {
        Object.assign(site, {
          checkIss({ iss }: Json) {
            if (iss !== issuer) throw new Problem("Wrong issuer");
          },
        });
      },
    }),
  },
  {
    bug: "assertions are for the token endpoint that the metadata names",
    configuration: { client: "private_key_jwt", par: true },
    registered: { assertionAudience: "token-endpoint" },
    named: ["metadata.foreign_token_endpoint"],
    change: (site) => ({
      assertionAudience: async () => (await site.metadata()).token_endpoint,
    }),
  },
  {
    bug: "the type of a token is ignored",
    named: ["token.wrong_token_type", "token-type-ignored"],
    change: () => ({ checkTokens: nothing }),
  },
  {
    bug: "a token that should be bound by DPoP is used as a bearer token",
    configuration: { dpop: true },
    named: ["token.bearer_for_dpop", "token.downgraded", "token-type-ignored"],
    change: (site) => ({
      checkTokens({ token_type = "" }) {
        if (!/^(bearer|dpop)$/i.test(token_type)) throw new Problem("Unknown type of token");
      },
      sendUserinfoRequest: (endpoint, tokens) =>
        /bearer/i.test(tokens.token_type)
          ? site.fetch(endpoint, { headers: { Authorization: `Bearer ${tokens.access_token}` } })
          : sendOf(site, endpoint, tokens),
    }),
  },
  {
    bug: "a nonce that the server asks for never comes",
    configuration: { dpop: true },
    lab: { dpopNonces: true },
    named: ["dpop-nonce-ignored", "dpop.nonce"],
    change: () => ({ wantsNonce: () => Promise.resolve(false) }),
  },
  {
    bug: "a token is used after it has expired",
    named: ["lifetime-ignored", "token.active"],
    change: () => ({ isExpired: () => false }),
  },
  {
    bug: "the first refresh token is kept",
    named: ["second_refresh", "refresh-retried-after-rotation"],
    change: (site) => ({
      keepTokens(session, tokens) {
        const kept = session.tokens.refresh_token ?? tokens.refresh_token;
        Object.assign(session, { tokens: { ...tokens, refresh_token: kept } });
        session.expiresAt = site.settings.now() + 3600_000;
      },
    }),
  },
  {
    bug: "each page refreshes by itself, also at the same moment",
    named: ["refresh.held", "parallel-refresh"],
    change: (site) => ({ refresh: (session) => site.renewTokens(session) }),
  },
  {
    bug: "the ID token of a refresh is not read",
    named: ["refresh."],
    change: () => ({ checkRefreshed: () => Promise.resolve() }),
  },
  {
    bug: "the ID token of a refresh may be about another user",
    named: ["refresh.wrong_sub"],
    change: (site) => ({
      async checkRefreshed(token) {
        const claims = await site.verify(token);
        site.checkIss(claims);
        site.checkAud(claims);
      },
    }),
  },
  {
    bug: "a dead refresh token is sent again and again",
    named: ["refresh.lost", "refresh.invalid_grant", "refresh-retried-after-rotation"],
    change: (site) => ({
      async requestTokens(fields) {
        for (let tries = 0; tries < 10 && fields.grant_type === "refresh_token"; tries++) {
          const tokens = await requestOf(site, fields).catch(() => undefined);
          if (tokens !== undefined) return tokens;
        }
        return await requestOf(site, fields);
      },
    }),
  },
  {
    bug: "without a valid refresh token, pages fail for ever, and nobody is asked to sign in",
    named: ["refresh.invalid_grant", "refresh.lost"],
    change: () => ({
      refreshFailed() {
        throw new Problem("Try again later", 500);
      },
    }),
  },
  {
    bug: "a refresh that fails is swallowed",
    named: ["refresh.invalid_grant", "refresh.lost"],
    change: () => ({ refreshFailed: nothing }),
  },
  {
    bug: "a refresh asks for more than was granted",
    named: ["asked-scope-kept", "refresh.scope", "scope."],
    change: (site) => ({
      requestTokens: (fields) =>
        requestOf(site, {
          ...fields,
          ...fields.grant_type === "refresh_token" && { scope: "openid profile email read" },
        }),
    }),
  },
];

/** Mistakes with logout tokens, which anyone can send. */
const logoutTokenBugs: readonly Row[] = [
  {
    bug: "a logout token is decoded, and its signature not verified",
    named: ["logout_token.foreign_signature", "logout_token.alg_none"],
    change: () => ({ verifyLogoutToken: (token) => Promise.resolve(readClaims(token)) }),
  },
  {
    bug: "a logout token without a signature passes",
    named: ["logout_token.alg_none"],
    change: (site) => ({ verifyLogoutToken: unlessNone(site) }),
  },
  {
    bug: "a logout token may be for another client",
    named: ["logout_token.wrong_aud"],
    change: (site) => ({
      checkLogoutToken: (claims) => checkLogout(site, { ...claims, aud: clientId }),
    }),
  },
  {
    bug: "a logout token may come from another issuer",
    named: ["logout_token.wrong_iss"],
    change: (site) => ({
      checkLogoutToken: (claims) => checkLogout(site, { ...claims, iss: site.settings.issuer }),
    }),
  },
  {
    bug: "a logout token works after it has expired",
    named: ["logout_token.expired"],
    change: (site) => ({
      checkLogoutToken: (claims) => checkLogout(site, { ...claims, exp: Infinity }),
    }),
  },
  {
    bug: "any signed token signs out: the event is not read",
    named: ["logout_token.without_events", "logout_token.wrong_event"],
    change: () => ({ checkLogoutEvent: nothing }),
  },
  {
    bug: "an ID token signs out: a nonce passes",
    named: ["logout_token.with_nonce"],
    change: () => ({ checkLogoutNonce: nothing }),
  },
  {
    bug: "a logout token about nobody passes",
    named: ["logout_token.without_sub_and_sid"],
    change: () => ({ checkLogoutSubject: nothing }),
  },
];

export const protocolBugs: readonly ApplicationBug[] = [
  ...responseBugs,
  ...idTokenBugs,
  ...tokenBugs,
  ...logoutTokenBugs,
].map((bug) => ({ kind: "protocol", ...bug }));

function missing(): never {
  throw new Problem("Missing");
}

// The steps as they are, for bugs that change a part of one.

type Steps = typeof Site.prototype;

const steps = (site: Site): Steps => Object.getPrototypeOf(site);

function take(site: Site, ...given: Parameters<Steps["takePending"]>) {
  return steps(site).takePending.apply(site, given);
}

function parametersOf(site: Site, ...given: Parameters<Steps["authorizationParameters"]>) {
  return steps(site).authorizationParameters.apply(site, given);
}

function redeemOf(site: Site, ...given: Parameters<Steps["redeem"]>) {
  return steps(site).redeem.apply(site, given);
}

function requestOf(site: Site, ...given: Parameters<Steps["requestTokens"]>) {
  return steps(site).requestTokens.apply(site, given);
}

function sendOf(site: Site, ...given: Parameters<Steps["sendUserinfoRequest"]>) {
  return steps(site).sendUserinfoRequest.apply(site, given);
}

function check(site: Site, claims: Json): void {
  steps(site).checkJarm.call(site, claims);
}

function checkLogout(site: Site, claims: Json): void {
  steps(site).checkLogoutToken.call(site, claims);
}

// What several bugs do

function unlessNone(site: Site) {
  return async (token: string) =>
    decodeProtectedHeader(token).alg === "none" ? readClaims(token) : await site.verify(token);
}

function signatureFindings(): string[] {
  return ["foreign_signature", "alg_none", "hs256_with_public_key"].map((name) =>
    `id_token.${name}`
  );
}

function withHeaderKey(
  site: Site,
  find: (header: Json) => JWK | undefined | Promise<JWK | undefined>,
) {
  return async (token: string) => {
    const key = await find(decodeProtectedHeader(token) as Json);
    if (key === undefined) return await site.verify(token);
    await compactVerify(token, await importJWK(key, "RS256"));
    return readClaims(token);
  };
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
