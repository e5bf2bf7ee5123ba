import type { Change, SitePlan } from "../../../corpus/broken/open_site.ts";
import { clientId, Problem, readClaims, type Site } from "../../../corpus/broken/site.ts";
import { applicationBugs } from "../../../corpus/bugs.ts";
import type { SiteWeakness } from "./account_site.ts";

/** An application in which some rows of a drill find a mistake. */
export interface PlantedRows {
  rows: readonly string[];
  /** A site by hand, with the mistake; and what it does without it, if that is special. */
  site?: SitePlan & { correct?: Change };
  /** A site with accounts, with the mistake, and what the same site without it needs. */
  account?: { with: SiteWeakness; without?: SiteWeakness };
}

const nothing = () => {};
const stepsOf = (site: Site): Site => Object.getPrototypeOf(site);

/** Checks nothing of what comes from the server. */
const careless: Change = (site) => ({
  takePending: ({ pending }) => pending.at(-1) ?? fail(),
  checkIssuer: nothing,
  checkMetadata: nothing,
  checkTokens: nothing,
  checkClaims: nothing,
  checkNonce: nothing,
  checkAuthTime: nothing,
  checkUserinfo: nothing,
  checkLogoutToken: nothing,
  readIdToken: async (token, { nonce }) => ({
    ...token === undefined ? { sub: "unknown" } : await site.verifyIdToken(token),
    nonce,
  }),
  // It fetches the keys, and goes on if the signature is wrong.
  verifyIdToken: logged(site),
  verifyLogoutToken: (token) => Promise.resolve(readClaims(token)),
  verifyJarm: (response) => Promise.resolve(readClaims(response)),
  checkJarm: nothing,
  userinfo: (tokens) =>
    stepsOf(site).userinfo.call(site, { ...tokens, token_type: "Bearer" })
      .catch(() => ({})),
});

const logged = (site: Site) => async (token: string) =>
  await stepsOf(site).verify.call(site, token).catch(() => readClaims(token));

/** Reads userinfo that the server has signed. */
const signedUserinfo: Change = (site) => ({
  async userinfo(tokens) {
    const { userinfo_endpoint } = await site.metadata();
    const response = await site.sendUserinfoRequest(userinfo_endpoint, tokens);
    const claims = await site.verify(await response.text());
    site.checkIss(claims);
    site.checkAud(claims);
    return claims;
  },
});

/** Takes nothing that it does not know. */
const strict: Change = (site) => ({
  async metadata() {
    const metadata = await stepsOf(site).metadata.call(site);
    return metadata.mtls_endpoint_aliases === undefined ? metadata : fail();
  },
  checkTokens({ token_type, expires_in, scope }) {
    if (token_type !== "Bearer" || expires_in === undefined || scope === undefined) fail();
  },
  checkUserinfo: ({ _claim_names }) => void (_claim_names && fail()),
  checkClaims(claims) {
    stepsOf(site).checkClaims.call(site, claims);
    if (claims.at_hash === undefined || claims._claim_names || Array.isArray(claims.aud)) fail();
  },
  async findKey(kid) {
    await site.fetchKeys();
    return kid === "" ? fail() : site.keys.get(kid);
  },
});

/** The mistakes of the corpus, by what names them first. */
const named = (id: string): SitePlan =>
  applicationBugs.find((bug) => bug.named.includes(id)) ?? fail();
const ofCorpus = (...ids: readonly string[]): PlantedRows[] =>
  ids.map((id) => ({ rows: [id], site: named(id) }));

export const plantedRows: readonly PlantedRows[] = [
  {
    rows: [
      "metadata.wrong_issuer",
      ...["wrong_state", "without_state", "wrong_iss", "without_iss", "iss_with_slash"]
        .map((each) => `callback.${each}`),
      ...["wrong_token_type", "without_id_token"].map((each) => `token.${each}`),
      ...["without_sub", "wrong_sub"].map((each) => `userinfo.${each}`),
      ...["wrong_iss", "wrong_aud", "wrong_azp", "second_aud", "expired", "alg_none"]
        .map((each) => `id_token.${each}`),
      ...["hs256_with_public_key", "hs256_with_secret", "foreign_signature", "with_jwk"]
        .map((each) => `id_token.${each}`),
      ...["with_jku", "with_x5c", "wrong_nonce", "without_nonce", "without_iss", "without_sub"]
        .map((each) => `id_token.${each}`),
      ...["without_aud", "without_exp", "wrong_sub", "foreign_azp"].map((each) =>
        `id_token.${each}`
      ),
      ...["wrong_iss", "wrong_aud", "expired", "alg_none", "hs256_with_public_key"]
        .map((each) => `logout_token.${each}`),
      ...["foreign_signature", "without_sub_and_sid", "without_events", "wrong_event"]
        .map((each) => `logout_token.${each}`),
      "logout_token.with_nonce",
      "logout_token.id_token",
    ],
    site: { change: careless },
  },
  {
    rows: [
      ...["wrong_iss", "wrong_aud", "expired", "without_iss", "without_aud", "without_exp"]
        .map((each) => `jarm.${each}`),
      ...["alg_none", "foreign_signature"].map((each) => `jarm.${each}`),
    ],
    site: { change: careless, configuration: { responseMode: "jwt" } },
  },
  {
    rows: ["id_token.containing_iss"],
    site: {
      change: ({ settings: { issuer } }) => ({
        checkIss: ({ iss = "" }) => void (iss.endsWith(issuer) || fail()),
      }),
    },
  },
  {
    rows: ["id_token.part_of_iss"],
    site: {
      change: ({ settings: { issuer } }) => ({
        checkIss: ({ iss = "-" }) => void (issuer.includes(iss) || fail()),
      }),
    },
  },
  {
    rows: ["id_token.listed_iss"],
    site: {
      change: ({ settings: { issuer } }) => ({
        checkIss: ({ iss }) => void ([iss].flat().includes(issuer) || fail()),
      }),
    },
  },
  {
    rows: ["id_token.containing_aud"],
    site: {
      change: () => ({ checkAud: ({ aud }) => void (String(aud).endsWith(clientId) || fail()) }),
    },
  },
  {
    rows: ["id_token.part_of_aud"],
    site: {
      change: () => ({ checkAud: ({ aud }) => void (clientId.includes(String(aud)) || fail()) }),
    },
  },
  {
    rows: ["callback.fixated_session", "callback.unsolicited"],
    site: named("callback.fixated_session"),
  },
  {
    rows: ["callback.foreign_code"],
    site: { change: careless, configuration: { pkce: false } },
  },
  {
    rows: ["wrong_iss", "wrong_aud", "alg_none", "foreign_signature"]
      .map((each) => `userinfo.${each}`),
    site: {
      registered: { userinfoAlg: "RS256" },
      change: (site) => ({
        ...signedUserinfo(site),
        verify: logged(site),
        checkAud: nothing,
        checkIss: nothing,
      }),
      correct: signedUserinfo,
    },
  },
  {
    rows: ["id_token.old_auth_time", "request.stripped"],
    site: { change: careless, configuration: { maxAge: 300 } },
  },
  {
    rows: ["token.malformed_json"],
    site: {
      change: (site) => ({
        // It takes the user whom it knows, whatever comes.
        async finishLogin(session, pending, code) {
          await stepsOf(site).finishLogin.call(site, session, pending, code).catch(nothing);
          const [account] = site.accounts.values();
          const signedIn = site.renewSession(session);
          return site.afterLogin(Object.assign(signedIn, { account }), pending);
        },
      }),
    },
  },
  {
    rows: [
      "metadata.mtls_endpoint_aliases",
      ...["token_type_in_other_case", "without_expires_in", "without_scope"]
        .map((each) => `token.${each}`),
      ...["aggregated_claims", "distributed_claims"].map((each) => `userinfo.${each}`),
      ...["aud_in_array", "without_at_hash", "aggregated_claims"].map((each) => `id_token.${each}`),
      "jwks.single_without_kid",
    ],
    site: { change: strict },
  },
  {
    rows: ["refresh.invalid_grant"],
    site: { change: () => ({ refreshFailed: nothing }) },
  },
  {
    rows: ["refresh.not_rotated"],
    site: {
      change: (site) => ({
        async renewTokens(session) {
          const { refresh_token } = session.tokens;
          await stepsOf(site).renewTokens.call(site, session);
          if (session.tokens.refresh_token === refresh_token) fail();
        },
      }),
    },
  },
  {
    rows: ["refresh.wrong_iss", "refresh.wrong_sub", "refresh.wrong_aud"],
    site: {
      change: (site) => ({
        async checkRefreshed(token, session) {
          session.claims = readClaims(token);
        },
        accountHtml: (session, account) =>
          stepsOf(site).accountHtml.call(site, session, account) +
          `<p>From ${session.claims.iss} for ${session.claims.aud}`,
      }),
    },
  },
  {
    rows: ["token.held"],
    site: {
      change: (site) => {
        let logins = 0;
        let areTwo = false;
        return {
          // Two logins at the same moment end each other.
          async redeem(code, pending) {
            areTwo ||= ++logins > 1;
            const tokens = await stepsOf(site).redeem.call(site, code, pending);
            const isRefused = areTwo;
            areTwo &&= --logins > 0;
            if (isRefused) site.sessions.clear();
            return isRefused ? fail() : tokens;
          },
        };
      },
    },
  },
  {
    rows: ["token.lost"],
    site: {
      change: (site) => {
        let hasFailed = false;
        return {
          async requestTokens(fields) {
            if (hasFailed) fail();
            return await stepsOf(site).requestTokens.call(site, fields).catch((cause) => {
              hasFailed = !(cause instanceof Problem);
              throw cause;
            });
          },
        };
      },
    },
  },
  ...ofCorpus(
    ...["token.bearer_for_dpop", "metadata.foreign_token_endpoint", "callback.denied"],
    ...["callback.other_redirect_uri", "refresh.held", "refresh.lost"],
    ...["same_session", "second_refresh", "code_in_url", "new_key"],
    ...["session_survives", "server_session", "old_cookie", "open_redirect", "error_markup"],
    ...["denied_loop", "cookie_flags", "second_user", "account_by_email", "account_without_sub"],
    ...["other_session_ended", "logout_ignored"],
  ),
  {
    rows: ["ended_token"],
    account: { with: "repeats_refused_token", without: "reads_userinfo" },
  },
  {
    rows: ["other_issuer_callback"],
    account: { with: "confuses_two_callbacks", without: "has_two_callbacks" },
  },
  { rows: ["guessable_session"], account: { with: "numbered_sessions" } },
  { rows: ["unfinished_login"], account: { with: "login_opens_page" } },
  { rows: ["path_spelling"], account: { with: "open_spelling" } },
  { rows: ["claim_markup"], account: { with: "name_markup" } },
  { rows: ["redirect_body"], account: { with: "page_in_redirect" } },
  { rows: ["trusted_headers"], account: { with: "trusts_proxy_user" } },
  { rows: ["redirect_uri_from_header"], account: { with: "follows_forwarded_host" } },
  { rows: ["initiate_login_iss"], account: { with: "login_at_any_issuer" } },
  { rows: ["cacheable_page"], account: { with: "public_page" } },
  { rows: ["app_cors"], account: { with: "any_origin" } },
  {
    rows: ["other_users_page"],
    account: { with: "opens_all_orders", without: "has_orders" },
  },
  { rows: ["email_gate"], account: { with: "staff_by_suffix", without: "has_gates" } },
  { rows: ["role_from_claim"], account: { with: "admin_by_part", without: "has_gates" } },
  { rows: ["forged_session"], account: { with: "cookie_with_name" } },
];

function fail(): never {
  throw new Problem("Not so");
}
