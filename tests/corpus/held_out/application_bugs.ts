// Mistakes of client libraries and applications, as they were published. Nobody who writes checks of
// a drill reads this file first: it measures what they did not think of.
import { compactVerify, decodeProtectedHeader, importJWK, type JWK } from "jose";
import { X509Certificate } from "node:crypto";
import type { ApplicationBug } from "../broken/bug.ts";
import {
  clientId,
  escape,
  type Json,
  Problem,
  readClaims,
  redirect,
  type Session,
  sha256,
  Site,
} from "../broken/site.ts";

const steps = Site.prototype;
const nothing = () => {};
const withoutLogoutTokens = { backchannelLogoutUri: undefined };

/** Mistakes with state, nonce and PKCE. */
const requestBugs: readonly ApplicationBug[] = [
  {
    bug: "state, nonce and verifier are made from the time in seconds",
    source: "CVE-2022-31034, Argo CD",
    kind: "protocol",
    named: ["state-reused", "nonce-reused", "challenge-reused", "predictable"],
    change(site) {
      const seconds = () => Math.floor(site.settings.now() / 1000).toString(16).padStart(50, "0");
      return { newState: seconds, newNonce: seconds, newVerifier: seconds };
    },
  },
  {
    bug: "the state is the page where the login ends",
    source: "CVE-2021-43777, Redash",
    kind: "protocol",
    named: ["state-reused", "callback.wrong_state", "callback.without_state", "open_redirect"],
    change: (site) => ({
      async authorizationParameters(pending) {
        const parameters = await steps.authorizationParameters.call(site, pending);
        return { ...parameters, state: pending.back };
      },
      takePending({ pending }, parameters) {
        const [last] = pending.slice(-1);
        if (!last) throw new Problem("No login has begun");
        return { ...last, back: parameters.get("state") ?? "/account" };
      },
    }),
  },
  {
    bug: "the state is signed by the site, and is that of any browser",
    source: "CVE-2025-68481, fastapi-users; CVE-2025-68158, Authlib",
    kind: "protocol",
    configuration: { pkce: false, nonce: false },
    named: [
      "callback.fixated_session",
      "callback.foreign_code",
      "callback.other_browser",
      "challenge-missing",
      "neither-state-nor-nonce",
    ],
    change(site) {
      const made = new Set<string>();
      const newState = () => {
        const state = crypto.randomUUID();
        made.add(state);
        return state;
      };
      return {
        newState,
        sessionOfNobody: () => site.newSession(),
        takePending(_session, parameters) {
          if (!made.has(parameters.get("state") ?? "")) throw new Problem("Not our state");
          return { state: "", nonce: "", verifier: "", back: "/account" };
        },
      };
    },
  },
  {
    bug: "a state is sent, and none is stored",
    source: "CVE-2025-14546, fastapi-sso",
    kind: "protocol",
    configuration: { pkce: false, nonce: false },
    named: [
      "callback.wrong_state",
      "callback.without_state",
      "callback.foreign_code",
      "callback.fixated_session",
      "neither-state-nor-nonce",
    ],
    change: (site) => ({
      sessionOfNobody: () => site.newSession(),
      takePending: () => ({ state: "", nonce: "", verifier: "", back: "/account" }),
    }),
  },
  {
    bug: "without the cookie of the login, state and nonce are not compared",
    source: "CVE-2023-27490, NextAuth.js",
    kind: "protocol",
    configuration: { pkce: false },
    named: [
      "callback.fixated_session",
      "callback.foreign_code",
      "callback.other_browser",
      "callback.without_state",
    ],
    change: (site) => ({
      sessionOfNobody: () => site.newSession(),
      takePending(session, parameters) {
        if (session.pending.length > 0) return steps.takePending.call(site, session, parameters);
        return { state: "", nonce: "", verifier: "", back: "/account" };
      },
      checkNonce(claims, nonce) {
        if (nonce !== "") steps.checkNonce.call(site, claims, nonce);
      },
    }),
  },
  {
    bug: "a nonce has to be there, and may be any",
    source: "CVE-2024-10318, NGINX OpenID Connect reference implementation",
    kind: "protocol",
    named: ["id_token.wrong_nonce"],
    change: () => ({
      checkNonce({ nonce }) {
        if (typeof nonce !== "string") throw new Problem("No nonce");
      },
    }),
  },
  {
    bug: "a nonce may be one of any login",
    source:
      "CVE-2023-24457, Keycloak Authentication Plugin of Jenkins: a login of anybody ends here",
    kind: "protocol",
    configuration: { pkce: false },
    named: [
      "callback.wrong_state",
      "callback.without_state",
      "callback.foreign_code",
      "callback.fixated_session",
    ],
    change(site) {
      const made = new Set<string>();
      return {
        newNonce() {
          const nonce = crypto.randomUUID();
          made.add(nonce);
          return nonce;
        },
        sessionOfNobody: () => site.newSession(),
        takePending: ({ pending: [first] }) =>
          first ?? { state: "", nonce: "", verifier: "", back: "/account" },
        checkNonce({ nonce }) {
          if (!made.has(nonce)) throw new Problem("Unknown nonce");
        },
      };
    },
  },
  {
    bug: "a code is redeemed by whoever brings it, and a failed one is tried again",
    source: "RFC 6749, section 10.5: a callback that is reloaded",
    kind: "protocol",
    named: ["code-redeemed-twice", "token.lost", "code.unused"],
    change: (site) => ({
      async redeem(code, pending) {
        for (let tries = 0; tries < 8; tries++) {
          const tokens = await steps.redeem.call(site, code, pending).catch(() => undefined);
          if (tokens) return tokens;
        }
        throw new Problem("Try again");
      },
    }),
  },
];

/** Mistakes with the ID token and userinfo. */
const tokenBugs: readonly ApplicationBug[] = [
  {
    bug: "keys are fetched, and the signature is not verified with them",
    source: "CVE-2021-22573, google-oauth-java-client",
    kind: "protocol",
    named: ["id_token.foreign_signature", "id_token.alg_none", "id_token.hs256_with_public_key"],
    change: (site) => ({
      async verifyIdToken(token) {
        const { kid = "" } = decodeProtectedHeader(token);
        if (!await site.findKey(kid)) throw new Problem("Unknown key");
        return readClaims(token);
      },
    }),
  },
  {
    bug: "an ID token with an algorithm that is not supported passes, as TLS vouches for it",
    source: "lua-resty-openidc, accept_unsupported_alg",
    kind: "protocol",
    named: ["id_token.alg_none", "id_token.hs256_with_public_key", "id_token.hs256_with_secret"],
    change: (site) => ({
      verifyIdToken: async (token) =>
        decodeProtectedHeader(token).alg === "RS256" ? await site.verify(token) : readClaims(token),
    }),
  },
  {
    bug: "the user is read from the tokens, which nobody verifies",
    source: "CVE-2023-22893, Strapi",
    kind: "protocol",
    configuration: { userinfo: false },
    named: ["id_token."],
    change: () => ({
      async readIdToken(token, _pending) {
        return await Promise.resolve(readClaims(token ?? ""));
      },
    }),
  },
  {
    bug: "an ID token brings its certificate in its header",
    source: "CVE-2018-0114, node-jose: keys in the header",
    kind: "protocol",
    named: ["id_token.header_x5c", "id_token.with_x5c", "id_token.header_key", "id_token.x5c"],
    change: (site) => ({
      async verifyIdToken(token) {
        const { x5c: [certificate] = [] } = decodeProtectedHeader(token);
        if (certificate === undefined) return await site.verify(token);
        const pem = `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----`;
        const jwk = new X509Certificate(pem).publicKey.export({ format: "jwk" }) as JWK;
        await compactVerify(token, await importJWK(jwk, "RS256"));
        return readClaims(token);
      },
    }),
  },
  {
    bug: "the issuer has to be a part of ours",
    source: "CVE-2024-53861, PyJWT",
    kind: "protocol",
    named: ["id_token.wrong_iss", "id_token.without_iss", "id_token.similar_iss"],
    change: (site) => ({
      checkIss({ iss = "" }) {
        if (!site.settings.issuer.includes(iss)) throw new Problem("Wrong issuer");
      },
    }),
  },
  {
    bug: "the right issuer or the right audience is enough",
    source: "CVE-2023-36820, Micronaut Security",
    kind: "protocol",
    named: ["id_token.wrong_iss", "id_token.wrong_aud"],
    change: (site) => ({
      checkIss({ iss, aud }) {
        const isRight = iss === site.settings.issuer || [aud].flat().includes(clientId);
        if (!isRight) throw new Problem("Wrong token");
      },
      checkAud: nothing,
    }),
  },
  {
    bug: "the authorized party is compared, and the audience is not",
    source: "CVE-2024-47806, OpenId Connect Authentication Plugin of Jenkins",
    kind: "protocol",
    named: ["id_token.wrong_aud", "id_token.without_aud"],
    change: () => ({ checkAud: nothing }),
  },
  {
    bug: "the time of an ID token is compared in milliseconds",
    source: "CWE-613: seconds and milliseconds",
    kind: "protocol",
    named: ["id_token.expired"],
    change: (site) => ({
      checkExp({ exp }) {
        if (!(exp * 1000 > site.settings.now() / 1000)) throw new Problem("Expired");
      },
    }),
  },
  {
    bug: "an ID token without a user is about the user of userinfo",
    source: "CVE-2022-2133, OAuth login of miniOrange: whoever is named is signed in",
    kind: "protocol",
    named: ["id_token.without_sub", "userinfo.wrong_sub", "id_token.wrong_sub"],
    change: (site) => ({
      checkClaims(claims) {
        steps.checkClaims.call(site, { ...claims, sub: claims.sub ?? "nobody" });
      },
      checkUserinfo(info, { sub }) {
        if (sub !== undefined && info.sub !== sub) throw new Problem("Another user");
      },
      accountKey: ({ iss }, { sub }) => `${iss} ${sub}`,
    }),
  },
  {
    bug: "without userinfo, the login goes on with what the browser sent",
    source: "CVE-2023-48309, NextAuth.js: a session without a user",
    kind: "session",
    named: ["same_session", "pre_login_session", "session_before_login"],
    change: (site) => ({
      accountPage(request, session) {
        if (!session) return site.askForLogin(request);
        const account = session.account ?? { number: 0, name: "", email: "" };
        return site.page(site.accountHtml(session, account));
      },
    }),
  },
  {
    bug: "of two users who refresh at the same moment, one gets the tokens of the other",
    source: "CVE-2025-67490, nextjs-auth0",
    kind: "session",
    named: ["second_user", "other_user", "shared_page", "refresh.held"],
    change(site) {
      let going: Promise<Json> | undefined;
      return {
        async renewTokens(session) {
          const { refresh_token = "" } = session.tokens;
          going ??= site.requestTokens({ grant_type: "refresh_token", refresh_token })
            .finally(() => going = undefined);
          site.keepTokens(session, await going);
        },
      };
    },
  },
  {
    bug: "the user of a refreshed ID token is the user from then on",
    source: "OpenID Connect Core, section 12.2",
    kind: "protocol",
    named: ["refresh.wrong_sub", "refresh."],
    change: (site) => ({
      async checkRefreshed(token, session) {
        const claims = await site.verify(token);
        site.checkClaims(claims);
        session.claims = claims;
        session.account = site.findAccount(claims, claims);
      },
    }),
  },
  {
    bug: "a logout token that names an unknown session signs everyone out",
    source: "CWE-613: a logout that names nobody",
    kind: "protocol",
    named: ["logout_token.wrong_sub", "logout_token.others", "logout_others"],
    change: (site) => ({
      endSessionsOf: () => site.sessions.clear(),
    }),
  },
  {
    bug: "a logout token may be any token of the server that names a session",
    source: "CVE-2019-10157, keycloak-nodejs-connect",
    kind: "protocol",
    named: [
      "logout_token.without_events",
      "logout_token.wrong_event",
      "logout_token.with_nonce",
      "logout_token.wrong_aud",
    ],
    change: (site) => ({
      checkLogoutToken(claims) {
        site.checkIss(claims);
        site.checkLogoutSubject(claims);
      },
    }),
  },
];

/** Open redirects, which are the commonest of all. */
const redirectBugs: readonly ApplicationBug[] = [
  {
    bug: "a login may end at a URL with a slash and a backslash",
    source: "CVE-2021-32786, mod_auth_openidc",
    kind: "session",
    named: ["open_redirect"],
    change: () => ({ readBack: (back) => /^\/(?!\/)/.test(back) ? back : "/account" }),
  },
  {
    bug: "a login may end at a URL with a tab in its slashes",
    source: "CVE-2022-23527, mod_auth_openidc",
    kind: "session",
    named: ["open_redirect"],
    change: () => ({ readBack: (back) => /^\/(?![/\\])/.test(back) ? back : "/account" }),
  },
  {
    bug: "a login may end at a URL with three slashes",
    source: "CVE-2021-32618, Flask-Security",
    kind: "session",
    named: ["open_redirect"],
    change: () => ({
      readBack(back) {
        const [, host] = /^(?:https?:)?\/\/([^/]*)/.exec(back) ?? [];
        const isOwn = !host && back.startsWith("/");
        return isOwn ? back.replace(/^\/{3,}/, "//") : "/account";
      },
    }),
  },
  {
    bug: "a login may end at any host that ends with ours",
    source: "CVE-2021-21291, oauth2-proxy",
    kind: "session",
    named: ["open_redirect"],
    change: (site) => ({
      readBack(back) {
        if (!/^https?:/.test(back)) return steps.readBack.call(site, back);
        return new URL(back).host.endsWith(new URL(site.settings.origin).host) ? back : "/account";
      },
    }),
  },
  {
    bug: "a login may end at any URL that has ours as its user",
    source: "CVE-2023-50771, OpenId Connect Authentication Plugin of Jenkins",
    kind: "session",
    named: ["open_redirect"],
    change: (site) => ({
      readBack: (back) =>
        back.startsWith(site.settings.origin) || /^\/(?![/\\\t])/.test(back) ? back : "/account",
    }),
  },
  {
    bug: "a login ends on the page that led to it, wherever that is",
    source: "CVE-2018-1000174, Google Login Plugin of Jenkins",
    kind: "session",
    named: ["open_redirect"],
    change: (site) => ({
      async beginLogin(request, parameters) {
        const response = await steps.beginLogin.call(site, request, parameters);
        const referer = request.headers.get("Referer");
        const [last] = site.findSession(request)?.pending.slice(-1) ?? [];
        if (last && referer && !parameters.has("back")) last.back = referer;
        return response;
      },
    }),
  },
  {
    bug: "a sign-out may end at any URL",
    source: "CVE-2019-14857, mod_auth_openidc",
    kind: "session",
    registered: withoutLogoutTokens,
    configuration: { endsServerSession: false },
    named: ["open_redirect"],
    change: (site) => ({
      accountHtml: (session, account) =>
        steps.accountHtml.call(site, session, account).replace("/logout", "/logout?next=/"),
      async signOut(request, session) {
        if (session) site.endSession(session);
        return await Promise.resolve(
          redirect(new URL(request.url).searchParams.get("next") ?? "/"),
        );
      },
    }),
  },
  {
    bug: "a login ends with a link to any URL, scripts included",
    source: "CVE-2022-31102, Argo CD",
    kind: "session",
    named: ["open_redirect", "error_markup", "markup", "reflected_markup"],
    change: (site) => ({
      readBack: (back) => back,
      afterLogin(session, { back }) {
        const response = site.page(`<a href="${escape(back)}">Go on</a>`);
        response.headers.append("Set-Cookie", site.sessionCookie(session.id));
        response.headers.append("Referrer-Policy", "no-referrer");
        return response;
      },
    }),
  },
];

/** What pages show, and to whom. */
const pageBugs: readonly ApplicationBug[] = [
  {
    bug: "a failed login leads to a page that shows the message in its URL, as markup",
    source: "CVE-2021-24214, OpenID Connect Generic Client for WordPress",
    kind: "session",
    named: ["error_markup", "markup", "error_description", "reflected_markup"],
    change: (site) => ({
      loginFailed: (parameters) =>
        redirect(`/failed?${new URLSearchParams({ message: reasonIn(parameters) })}`),
      route(request, url) {
        if (url.pathname !== "/failed") return steps.route.call(site, request, url);
        return site.page(`<p>ERROR: ${url.searchParams.get("message")}</p>`, 401);
      },
    }),
  },
  {
    bug: "a failed login links to the URL that came with it",
    source: "CVE-2021-32702, nextjs-auth0",
    kind: "session",
    named: ["error_markup", "markup", "error_description", "reflected_markup", "error_uri"],
    change: (site) => ({
      loginFailed: (parameters) =>
        site.page(
          `<a href='${escape(parameters.get("error_uri"))}'>More</a>
          <p>${parameters.get("error_description")?.replaceAll("<script", "")}</p>`,
          400,
        ),
    }),
  },
  {
    bug: "an error shows all that came, as markup",
    source: "CVE-2019-1010247, mod_auth_openidc",
    kind: "session",
    named: ["error_markup", "markup", "reflected_markup", "error_description"],
    change: (site) => ({
      loginFailed: (parameters) =>
        site.page(`<pre>${decodeURIComponent(String(parameters))}</pre>`, 400),
      showProblem: (_cause, request) =>
        site.page(`<p>Failed: ${decodeURIComponent(new URL(request.url).search)}</p>`, 400),
    }),
  },
  {
    bug: "what leads to the login has the page in its body",
    source: "CVE-2025-31492, mod_auth_openidc",
    kind: "session",
    named: ["protected_in_redirect", "redirect_body", "second_user", "shared_page"],
    change(site) {
      let last = "";
      return {
        accountHtml(session, account) {
          last = steps.accountHtml.call(site, session, account);
          return last;
        },
        async askForLogin(request) {
          const { headers } = await steps.askForLogin.call(site, request);
          return new Response(last, { status: 302, headers });
        },
      };
    },
  },
  {
    bug: "proxies may keep the page of a user, with the session cookie",
    source: "CVE-2025-48947, nextjs-auth0",
    kind: "session",
    named: ["cache_control", "shared_cache", "cacheable_page", "second_user", "shared_page"],
    change: (site) => ({
      page(html, status) {
        const response = steps.page.call(site, html, status);
        response.headers.set("Cache-Control", "public, max-age=600");
        return response;
      },
    }),
  },
  {
    bug: "the tokens are in a cookie",
    source: "CVE-2023-1584, Quarkus",
    kind: "session",
    named: ["token_in_cookie", "secret_in_cookie", "tokens_in_cookie"],
    change: (site) => ({
      afterLogin({ id, tokens }, { back }) {
        const { access_token, refresh_token } = tokens;
        const kept = btoa(JSON.stringify({ access_token, refresh_token }));
        return redirect(back, site.sessionCookie(id), `tokens=${kept}; Path=/; SameSite=Lax`);
      },
    }),
  },
  {
    bug: "a page for scripts has all tokens of the session",
    source: "CWE-522: tokens in /api/auth/session",
    kind: "session",
    named: ["refresh_token_in_page", "secret_in_page", "token_in_page"],
    change: (site) => ({
      accountHtml: (session, account) =>
        `${steps.accountHtml.call(site, session, account)}<a href="/api/session">Session</a>`,
      route(request, url) {
        if (url.pathname !== "/api/session") return steps.route.call(site, request, url);
        return Response.json(site.findSession(request)?.tokens ?? {});
      },
    }),
  },
  {
    bug: "the refresh token is in the URL of the sign-out",
    source: "CWE-598: tokens in redirects",
    kind: "session",
    named: [
      "token_in_url",
      "refresh_token_in_url",
      "secret_in_url",
      "token-in-uri",
      "secret-in-uri",
    ],
    change: (site) => ({
      async endSessionUrl(session) {
        const url = await steps.endSessionUrl.call(site, session);
        return `${url}&refresh_token=${session.tokens.refresh_token}`;
      },
    }),
  },
  {
    bug: "an error shows the secret with which the token request was sent",
    source: "CWE-209: exceptions that show their request",
    kind: "session",
    named: ["client_secret_in_page", "secret_in_page", "stack_trace"],
    change: (site) => ({
      async finishLogin(session, pending, code) {
        try {
          return await steps.finishLogin.call(site, session, pending, code);
        } catch (cause) {
          const { headers = {} } = await site.authentication();
          return site.page(`<pre>${cause} ${JSON.stringify(headers)}</pre>`, 500);
        }
      },
    }),
  },
];

/** Whose account and whose session it is. */
const accountBugs: readonly ApplicationBug[] = [
  {
    bug: "an e-mail address without a word about its verification is verified",
    source: "CVE-2024-21632, omniauth-microsoft_graph",
    kind: "session",
    named: ["unverified_email", "account_by_email", "email_account"],
    change: () => ({
      accountKey: ({ iss, sub }, { email, email_verified = true }) =>
        email_verified !== "false" ? email : `${iss} ${sub}`,
    }),
  },
  {
    bug: "users are told apart by the name that they chose",
    source: "CVE-2023-3128, Grafana",
    kind: "session",
    named: [
      "account_by_name",
      "account_by_email",
      "unverified_email",
      "second_user",
      "mutable_claim",
    ],
    change: () => ({
      accountKey: (_claims, { preferred_username, email, sub }) =>
        preferred_username ?? email ?? sub,
    }),
  },
  {
    bug: "an account is found by the first part of its e-mail address",
    source: "CWE-287: users of two domains",
    kind: "session",
    named: ["unverified_email", "account_by_email", "email_account"],
    change: () => ({
      accountKey: ({ sub }, { email }) => email?.split("@")[0] ?? sub,
    }),
  },
  {
    bug: "the session cookie is the name of the user",
    source: "CVE-2023-35941, OAuth filter of Envoy",
    kind: "session",
    named: ["predictable_session", "forged_session", "session_cookie", "cookie_flags"],
    change: (site) => ({
      renewSession(session) {
        site.sessions.delete(session.id);
        session.id = btoa(session.claims.sub ?? "alice");
        site.sessions.set(session.id, session);
        return session;
      },
    }),
  },
  {
    bug: "a browser may choose the id of its session",
    source: "CVE-2024-52553, OpenId Connect Authentication Plugin of Jenkins",
    kind: "session",
    named: ["same_session", "chosen_session"],
    change: (site) => ({
      findSession(request) {
        const id = /(?:^|; )session=([^;]+)/.exec(request.headers.get("Cookie") ?? "")?.[1];
        if (id === undefined) return undefined;
        const known = site.sessions.get(id);
        if (known) return known;
        const session: Session = { id, pending: [], tokens: {}, claims: {}, expiresAt: 0 };
        site.sessions.set(id, session);
        return session;
      },
      renewSession: (session) => session,
    }),
  },
  {
    bug: "a sign-out forgets the user of the page alone, and the next page signs in again",
    source: "Passport before 0.6: req.logout does not wait",
    kind: "session",
    registered: withoutLogoutTokens,
    configuration: { endsServerSession: false },
    named: ["session_survives", "server_session"],
    change: (site) => ({
      async signOut(_request, session) {
        if (session) {
          const { account } = session;
          session.account = undefined;
          queueMicrotask(() => session.account = account);
        }
        return await Promise.resolve(site.page("<p>Goodbye</p>"));
      },
    }),
  },
  {
    bug: "sessions live in a cookie, which no logout token reaches",
    source: "mod_auth_openidc, OIDCSessionType client-cookie",
    kind: "session",
    named: ["logout_ignored", "logout_token.ignored"],
    change(site) {
      const ended = new Set<string>();
      return {
        endSessionsOf: ({ sid }) => void ended.add(String(sid)),
        keepTokens(session, tokens) {
          steps.keepTokens.call(site, session, { ...tokens, ended: ended.size });
        },
      };
    },
  },
  {
    bug: "the id of a session is a hash of what its user can know",
    source: "CWE-330: predictable values",
    kind: "session",
    named: ["predictable_session", "session_cookie"],
    change: (site) => ({
      afterLogin(session, { back }) {
        const { sub } = session.claims;
        return sha256(`${sub} of ${session.account?.number}`).then((id) => {
          site.sessions.delete(session.id);
          session.id = id;
          site.sessions.set(id, session);
          return redirect(back, site.sessionCookie(id));
        }) as unknown as Response;
      },
    }),
  },
];

export const heldOutApplicationBugs: readonly ApplicationBug[] = [
  ...requestBugs,
  ...tokenBugs,
  ...redirectBugs,
  ...pageBugs,
  ...accountBugs,
];

function reasonIn(parameters: URLSearchParams): string {
  return parameters.get("error_description") ?? parameters.get("error") ?? "";
}
