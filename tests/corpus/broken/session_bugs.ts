import type { ApplicationBug } from "./bug.ts";
import { clientSecret, redirect, type Session, type Site } from "./site.ts";

type Row = Omit<ApplicationBug, "kind">;
type Steps = typeof Site.prototype;

const steps = (site: Site): Steps => Object.getPrototypeOf(site);

/** The server would end the session by a logout token, whatever the sign-out forgets. */
const withoutLogoutTokens = { backchannelLogoutUri: undefined };

/** Mistakes with pages and URLs. */
const pageBugs: readonly Row[] = [
  {
    bug: "the access token is in the page, for its scripts",
    named: ["token_in_page", "access_token_in_page", "secret_in_page"],
    change: showing(({ tokens }) => `<script>const token = "${tokens.access_token}"</script>`),
  },
  {
    bug: "the refresh token is in the page, for its scripts",
    named: ["refresh_token_in_page", "secret_in_page"],
    change: showing(({ tokens }) => `<script>start(${JSON.stringify(tokens)})</script>`),
  },
  {
    bug: "the client secret is in the page, with the configuration for its scripts",
    named: ["client_secret_in_page", "secret_in_page"],
    change: showing(() =>
      `<script>const oidc = ${JSON.stringify({ client_secret: clientSecret })}</script>`
    ),
  },
  {
    bug: "after the login, the access token is in the URL",
    named: ["token_in_url", "access_token_in_url", "secret_in_url"],
    change: (site) => ({
      afterLogin: ({ id, tokens }, { back }) =>
        redirect(`${back}?token=${tokens.access_token}`, site.sessionCookie(id)),
    }),
  },
  {
    bug: "after the login, the tokens are in the fragment of the URL",
    named: ["token_in_url", "refresh_token_in_url", "secret_in_url", "token_in_fragment"],
    change: (site) => ({
      afterLogin: ({ id, tokens }, { back }) =>
        redirect(
          `${back}#access=${tokens.access_token}&refresh=${tokens.refresh_token}`,
          site.sessionCookie(id),
        ),
    }),
  },
  {
    bug: "a login may end at any URL",
    named: ["open_redirect"],
    change: () => ({ readBack: (back) => back }),
  },
  {
    bug: "a login may end at any URL that begins with a slash",
    named: ["open_redirect"],
    change: () => ({ readBack: (back) => back.startsWith("/") ? back : "/account" }),
  },
  {
    bug: "a login may end at any URL that begins with that of the site",
    named: ["open_redirect"],
    change: (site) => ({
      readBack: (back) =>
        /^\/[^/]/.test(back) || back.startsWith(site.settings.origin) ? back : "/",
    }),
  },
  {
    bug: "the reason of a failed login is markup",
    named: ["error_markup", "markup", "error_description", "reflected_markup"],
    change: (site) => ({
      loginFailed: (parameters) =>
        site.page(`<p>Failed: ${parameters.get("error_description")}</p>`, 400),
    }),
  },
  {
    bug: "the code of a failed login is markup",
    named: ["error_markup", "markup", "error_description", "reflected_markup"],
    change: (site) => ({
      loginFailed: (parameters) =>
        site.page(`<p class="${parameters.get("error")}">You are not signed in</p>`, 400),
    }),
  },
  {
    bug: "a denied login begins again at once",
    named: ["denied_loops", "denied_loop", "callback.denied"],
    change: () => ({ loginFailed: () => redirect("/login") }),
  },
  {
    bug: "the callback shows the page itself, with the code in its URL",
    named: ["code_in_url"],
    change: (site) => ({
      afterLogin(session) {
        const response = site.page(site.accountHtml(session, session.account!));
        response.headers.append("Set-Cookie", site.sessionCookie(session.id));
        return response;
      },
    }),
  },
];

/** Mistakes with sessions and their cookie. */
const sessionBugs: readonly Row[] = [
  {
    bug: "the session keeps its id when the user signs in",
    named: ["same_session"],
    change: () => ({ renewSession: (session) => session }),
  },
  {
    bug: "scripts can read the session cookie",
    named: ["cookie_flags", "session_cookie", "cookie_httponly"],
    change: () => ({ sessionCookie: (id) => `session=${id}; Path=/; SameSite=Lax` }),
  },
  {
    bug: "the session cookie comes from other sites as well",
    named: ["cookie_flags", "session_cookie", "cookie_samesite"],
    change: () => ({ sessionCookie: (id) => `session=${id}; Path=/; HttpOnly; SameSite=None` }),
  },
  {
    bug: "the session cookie is only a name",
    named: ["cookie_flags", "session_cookie", "forged_session"],
    change: () => ({ sessionCookie: (id) => `session=${id}` }),
  },
  {
    bug: "the server keeps one page for everyone",
    named: ["second_user", "other_user", "shared_page"],
    change(site) {
      let kept: string | undefined;
      return {
        accountHtml: (session, account) =>
          kept ??= steps(site).accountHtml.call(site, session, account),
      };
    },
  },
  {
    bug: "the server keeps who has signed in last, for everyone",
    named: ["second_user", "other_user", "shared_page"],
    change(site) {
      let last: Session | undefined;
      return {
        async finishLogin(session, pending, code) {
          const response = await steps(site).finishLogin.call(site, session, pending, code);
          last = session;
          return response;
        },
        accountHtml: (session, account) =>
          steps(site).accountHtml.call(site, last ?? session, last?.account ?? account),
      };
    },
  },
  {
    bug: "a second login in the browser keeps the first user",
    named: ["second_user", "other_user", "shared_page", "second_login"],
    change: (site) => ({
      async finishLogin(session, pending, code) {
        const first = session.account;
        const response = await steps(site).finishLogin.call(site, session, pending, code);
        session.account = first ?? session.account;
        return response;
      },
    }),
  },
  {
    bug: "users are told apart by an e-mail address that nobody has verified",
    named: ["unverified_email", "account_by_email", "email_account"],
    change: () => ({ accountKey: (_claims, { email }) => email }),
  },
  {
    bug: "users are told apart by their verified e-mail address",
    named: ["verified_email", "account_by_email", "email_account"],
    change: () => ({
      accountKey: ({ iss, sub }, { email, email_verified }) =>
        email_verified ? email : `${iss} ${sub}`,
    }),
  },
  {
    bug: "users without a name share an account",
    named: ["id_token.without_sub", "account_without_sub"],
    change: (site) => ({
      checkUserinfo: () => {},
      checkClaims(claims) {
        site.checkIss(claims);
        site.checkAud(claims);
        site.checkExp(claims);
      },
    }),
  },
];

/** Mistakes with signing out. */
const signOutBugs: readonly Row[] = [
  {
    bug: "a sign-out leaves the session open",
    registered: withoutLogoutTokens,
    named: ["session_survives"],
    change: (site) => ({
      async signOut(_request, session) {
        return redirect(session ? await site.endSessionUrl(session) : "/");
      },
    }),
  },
  {
    bug: "a sign-out takes the cookie away, and the session goes on for who has it",
    registered: withoutLogoutTokens,
    named: ["session_survives", "old_cookie"],
    change: (site) => ({
      async signOut(request, session) {
        const response = await steps(site).signOut.call(site, request, session);
        if (session) site.sessions.set(session.id, session);
        return response;
      },
    }),
  },
  {
    bug: "a sign-out leads to the home page of the server, and leaves the session there open",
    named: ["server_session"],
    change: ({ settings }) => ({ endSessionUrl: () => Promise.resolve(`${settings.issuer}/`) }),
  },
  {
    bug: "a sign-out of a user who signed in twice ends the session of the other login",
    registered: withoutLogoutTokens,
    named: ["other_session_ended"],
    change: (site) => ({
      endSession({ claims }) {
        const first = [...site.sessions.values()].find((each) => each.claims.sub === claims.sub);
        if (first) site.sessions.delete(first.id);
      },
    }),
  },
  {
    bug: "a logout token is confirmed, and the session goes on",
    named: ["logout_ignored", "logout_token.ignored"],
    change: () => ({ endSessionsOf: () => {} }),
  },
  {
    bug: "a logout token ends the session of its sid, which the site has never stored",
    named: ["logout_ignored", "logout_token.ignored"],
    change: (site) => ({
      endSessionsOf({ sid }) {
        for (const session of site.sessions.values()) {
          if (session.tokens.sid === sid) site.endSession(session);
        }
      },
    }),
  },
];

export const sessionAndPageBugs: readonly ApplicationBug[] = [
  ...pageBugs,
  ...sessionBugs,
  ...signOutBugs,
].map((bug) => ({ kind: "session", ...bug }));

/** A page that shows more than it should. */
function showing(extra: (session: Session) => string): ApplicationBug["change"] {
  return (site) => ({
    accountHtml: (session, account) =>
      steps(site).accountHtml.call(site, session, account) + extra(session),
  });
}
