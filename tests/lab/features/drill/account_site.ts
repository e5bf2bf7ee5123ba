import { decodeJwt } from "jose";
import { hallpass, type HallpassOptions, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { sha256 } from "../../../../src/server/util/crypto/hash.ts";
import { present } from "../../../support/present.ts";

/** A mistake of the site in its pages, its cookies or its accounts. */
export type SiteWeakness =
  | `open_redirect_${"absolute" | "relative" | "backslash" | "prefix" | "path" | "suffix" | "tab"}`
  | "sign_out_redirect"
  /** By its button alone, and by a form of another site. */
  | "sign_out_form_redirect"
  | "sign_out_button_redirect"
  /** By the page to which its link leads, whose form has a token. */
  | "sign_out_page_redirect"
  | `error_markup${"" | "_of_login"}`
  | "denied_loop"
  | `cookie_without_${"http_only" | "same_site"}`
  | "cookie_with_name"
  | "numbered_sessions"
  | "login_opens_page"
  | "open_spelling"
  | "open_in_query"
  | "page_in_redirect"
  | "trusts_proxy_user"
  | "trusts_proxy_path"
  | "follows_forwarded_host"
  | "login_at_any_issuer"
  | "public_page"
  | "any_origin"
  | "any_origin_of_data"
  | "token_in_data"
  | "header_in_error"
  /** With orders, of which each user has two; or with one page about each user. */
  | "has_orders"
  | "opens_all_orders"
  | "opens_all_profiles"
  /** With pages for users of example.com, and for a group. */
  | "has_gates"
  | `staff_by_${"suffix" | "beginning" | "unverified_address"}`
  | `admin_by_${"part" | "text" | "lack"}`
  | "name_markup"
  | "name_markup_elsewhere"
  | "old_cookie"
  | "idle_sign_out"
  | "shared_page"
  | "shared_account"
  /** No mistake: whoever is signed in cannot sign in as someone else. */
  | "refuses_second_user"
  | "keeps_first_user"
  /** No mistakes: a page of its own after each login, or at the callback. */
  | "unique_landing"
  | "renders_at_callback"
  /** No mistake: its sign-out has a token, which its pages write as a template engine does. */
  | "asks_for_form_token"
  /** No mistakes. */
  | "shows_user_name"
  | "checks_redirect_uri"
  | `account_by_${"unverified_email" | "verified_email" | "email_with_text" | "user_name"}`
  /** No mistake: its page shows the sub of an account, or what belongs to it, and no name. */
  | "shows_only_sub"
  | "shows_only_orders"
  | "account_without_sub"
  | `${"access_token" | "refresh_token" | "client_secret"}_in_page`
  | `${"access_token" | "refresh_token" | "id_token"}_in_url`
  | "user_from_wrong_userinfo"
  | "keeps_first_name"
  | "ends_other_session"
  | "repeats_refused_token"
  /** No mistake: its page shows what userinfo says, until that is refused. */
  | "reads_userinfo"
  /** No mistake of its own: one that compares iss may sign in at several. */
  | "trusts_two_issuers"
  | "has_two_callbacks"
  | "confuses_two_callbacks"
  /** No mistake: those who are not signed in see the home page instead of an error. */
  | "leads_home";

export const siteOrigin = "http://localhost:3000";
const secret = "the-secret-of-the-site-has-40-characters";
const refusal = "<p>You are signed in as someone else";
const formToken = { value: "a+b/c==d'é", html: "a&#43;b&#x2F;c&#61;&#x3d;d&#39;&eacute;" };

interface SiteSession {
  id: string;
  state: string;
  nonce: string;
  verifier: string;
  back: string;
  account?: SiteAccount;
  token?: string;
}

interface SiteAccount {
  id: number;
  key: string;
  sub: string;
  user: string;
  name: string;
  email: string;
  isStaff: boolean;
  isAdmin: boolean;
}

/** Opens a lab with a web application that has accounts, and shows whose they are. */
export async function openAccountSite(
  weaknesses: readonly SiteWeakness[] = [],
  options: HallpassOptions = {},
): Promise<TestLab> {
  const parts: { site?: (request: Request) => Promise<Response> } = {};
  const lab = await hallpass({
    alg: "EdDSA",
    ...options,
    fetch: async (url, { method, headers, body }) =>
      await present(parts.site)(new Request(url, { method, headers, body: body ?? null })),
    clients: [{
      id: "site",
      secret,
      redirectUris: [`${siteOrigin}/callback`],
      idTokenAlg: "EdDSA",
    }],
  });
  parts.site = createSite(lab, weaknesses);
  return lab;
}

function createSite(lab: TestLab, weaknesses: readonly SiteWeakness[]) {
  const has = (weakness: SiteWeakness) => weaknesses.includes(weakness);
  const sessions = new Map<string, SiteSession>();
  const accounts: SiteAccount[] = [];
  let lastShown: string | undefined;
  let lastAccount: SiteAccount | undefined;
  const cookieFlags = [
    "Path=/",
    ...has("cookie_without_http_only") ? [] : ["HttpOnly"],
    ...has("cookie_without_same_site") ? [] : ["SameSite=Lax"],
  ].join("; ");
  const withCookie = (response: Response, id: string) => {
    response.headers.append("Set-Cookie", `session=${id}; ${cookieFlags}`);
    return response;
  };

  function isOwn(back: string): boolean {
    if (has("open_redirect_absolute")) return true;
    if (has("open_redirect_relative")) return back.startsWith("/");
    if (has("open_redirect_backslash")) return back.startsWith("/") && !back.startsWith("//");
    if (has("open_redirect_suffix") && new URL(back, siteOrigin).host.endsWith("localhost:3000")) {
      return true;
    }
    if (has("open_redirect_tab")) return /^\/(?![/\\])/.test(back);
    if (has("open_redirect_prefix") && back.startsWith(siteOrigin)) return true;
    return new URL(back, siteOrigin).origin === siteOrigin;
  }

  const pathOf = (back: string) =>
    has("open_redirect_path") ? new URL(back, siteOrigin).pathname : back;

  async function begin(
    back: string,
    before?: SiteSession,
    host: string | null = null,
  ): Promise<Response> {
    const [id, state, nonce] = [1, 2, 3].map(() => crypto.randomUUID()) as [string, string, string];
    const verifier = crypto.randomUUID() + crypto.randomUUID();
    const keeps = has("keeps_first_user") || has("refuses_second_user");
    const kept = keeps && before?.account && { account: before.account };
    sessions.set(id, {
      id,
      state,
      nonce,
      verifier,
      back: isOwn(back) ? pathOf(back) : "/account",
      ...kept,
    });
    const query = new URLSearchParams({
      response_type: "code",
      client_id: "site",
      redirect_uri: host === null ? `${siteOrigin}/callback` : `http://${host}/callback`,
      scope: "openid profile email",
      code_challenge: await sha256(verifier),
      code_challenge_method: "S256",
      state,
      nonce,
    });
    return withCookie(to(`${lab.issuer}/oauth2/authorize?${query}`), id);
  }

  async function finish(query: URLSearchParams, session?: SiteSession): Promise<Response> {
    const error = `${query.get("error")} ${query.get("error_description")}`;
    if (has("error_markup") && query.has("error")) return page(`<p>${error}`);
    if (query.get("state") !== session?.state) return page("<p>Another login", 400);
    if (query.has("error")) {
      if (has("denied_loop")) return await begin("/account");
      return page(has("error_markup_of_login") ? `<p>${error}` : "<p>Not allowed", 403);
    }
    const { id_token, access_token, refresh_token } = await redeem(query.get("code"), session);
    const claims = decodeJwt(id_token);
    if (claims.nonce !== session?.nonce) return page("<p>Another login", 400);
    const userinfo = await read("userinfo", { Authorization: `Bearer ${access_token}` });
    if (claims.sub === undefined && !has("account_without_sub")) {
      return has("leads_home") ? to("/") : page("<p>No sub", 400);
    }
    const isSame = userinfo.sub === claims.sub || has("user_from_wrong_userinfo");
    const account = accountOf({ ...isSame ? userinfo : {}, sub: claims.sub });
    if (has("refuses_second_user") && session.account && session.account !== account) {
      sessions.set(session.id, session);
      return has("renders_at_callback") ? page(refusal) : to("/account/other");
    }
    if (!session.account || !has("keeps_first_user")) session.account = account;
    session.token = access_token;
    lastAccount = account;
    // Another id, so that nobody has the session who knew the one before the login.
    sessions.delete(session.id);
    // The length of base64 leaves 0, 2 or 3.
    const id = has("numbered_sessions")
      ? String(1000 + sessions.size)
      : has("cookie_with_name")
      ? encodeURIComponent(account.name)
      : `${crypto.randomUUID()}1`;
    sessions.set(id, { ...session, id });
    const tokens = { access_token, refresh_token, id_token };
    const sent = Object.entries(tokens).find(([name]) => has(`${name as "id_token"}_in_url`))?.[1];
    lastTokens = { access_token, refresh_token };
    if (has("renders_at_callback")) return withCookie(accountPage(session.account), id);
    if (has("unique_landing")) return withCookie(to(`/account/${crypto.randomUUID()}`), id);
    return withCookie(to(sent ? `/account#token=${sent}` : session.back), id);
  }
  let lastTokens = {};
  const isOfOther = has("has_two_callbacks") || has("confuses_two_callbacks");
  const otherCallback = `${siteOrigin}/callback${isOfOther ? "/other" : ""}`;
  const otherLink = has("trusts_two_issuers") || isOfOther
    ? `<a href="https://other.example/authorize?response_type=code&client_id=site&redirect_uri=${
      encodeURIComponent(otherCallback)
    }">Other</a>`
    : "";

  function firstSessionOf(account: SiteAccount | undefined): string {
    return [...sessions.values()].find((each) => each.account === account)?.id ?? "";
  }

  async function redeem(code: string | null, session?: SiteSession) {
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code: code ?? "",
      redirect_uri: `${siteOrigin}/callback`,
      code_verifier: session?.verifier ?? "",
    });
    return await read("token", { Authorization: `Basic ${btoa(`site:${secret}`)}` }, body);
  }

  async function read(endpoint: string, headers: HeadersInit, body?: URLSearchParams) {
    const init = { headers, ...body && { method: "POST", body } };
    return await (await lab.fetch(`${lab.issuer}/oauth2/${endpoint}`, init)).json();
  }

  function isStaff(email: string, isVerified: unknown): boolean {
    const domain = "@example.com";
    if (isVerified !== true && !has("staff_by_unverified_address")) return false;
    if (has("staff_by_beginning")) return email.includes(domain);
    return email.endsWith(domain) && (has("staff_by_suffix") || email.split("@").length === 2);
  }

  function isAdmin(groups: unknown): boolean {
    if (has("admin_by_lack")) return groups === undefined;
    if (has("admin_by_text") && typeof groups === "string") return groups.includes("admin");
    const names = Array.isArray(groups) ? groups.map(String) : [];
    return names.some((name) => has("admin_by_part") ? name.includes("admin") : name === "admin");
  }

  function accountOf(claims: Record<string, unknown>): SiteAccount {
    const { sub, name = "Nobody", email = "", email_verified, preferred_username } = claims;
    const byEmail = has("account_by_unverified_email") ||
      has("account_by_verified_email") && email_verified === true ||
      has("account_by_email_with_text") && Boolean(email_verified);
    const byName = has("account_by_user_name");
    const key = String(byEmail ? email : byName ? preferred_username : sub);
    const known = accounts.find((account) => account.key === key);
    const rights = {
      isStaff: isStaff(String(email), email_verified),
      isAdmin: isAdmin(claims.groups),
    };
    const isKept = byEmail || byName || has("keeps_first_name");
    const user = String(preferred_username);
    if (known) return Object.assign(known, rights, isKept ? {} : { name, email, user });
    const shown = { user, sub: String(sub), name: String(name), email: String(email) };
    const account = { id: 1000 + accounts.length, key, ...shown, ...rights };
    accounts.push(account);
    return account;
  }

  function accountPage(
    { id, sub, user, name, email }: SiteAccount,
    returnTo: string | null = null,
  ): Response {
    const returnField = has("sign_out_button_redirect") && returnTo !== null
      ? `<input type=hidden name=returnTo value="${returnTo}">`
      : "";
    const tokenField = has("asks_for_form_token")
      ? `<input type=hidden name=token value="${formToken.html}">`
      : "";
    const secrets = [
      ...has("access_token_in_page") || has("refresh_token_in_page")
        ? [JSON.stringify(
          Object.entries(lastTokens).filter(([name]) => has(`${name as "access_token"}_in_page`)),
        )]
        : [],
      ...has("client_secret_in_page") ? [secret] : [],
      ...has("shows_user_name") ? [`<a href="/u/${user}">@${user}</a>`] : [],
      ...has("renders_at_callback") ? ["<a href=/account>Account</a>"] : [],
    ];
    const shown = has("name_markup") ? name : escaped(name);
    if (has("name_markup_elsewhere")) secrets.push("<a href=/members>Members</a>");
    if (has("has_orders") || has("opens_all_orders")) secrets.push(`<a href=/orders>Orders</a>`);
    if (has("opens_all_profiles")) secrets.push(`<a href=/orders/${2 * id}>Profile</a>`);
    if (has("any_origin_of_data") || has("token_in_data")) {
      secrets.push(`<script src=/site.js></script>`);
    }
    if (has("shows_only_sub")) return page(`<h1>Signed in as ${sub}</h1><a href=/help>Help</a>`);
    if (has("shows_only_orders")) return page("<h1>Welcome</h1><a href=/orders>Your orders</a>");
    const html = `<h1>${shown}</h1><p>${email}, account ${id}.` +
      `<form method=post action=/leave>${returnField}${tokenField}<button>Sign out</button></form>${secrets}`;
    lastShown = has("shared_page") ? lastShown ?? html : html;
    return page(lastShown);
  }

  function ordersPage(order: number, account: SiteAccount): Response {
    const own = [2 * account.id, 2 * account.id + 1];
    if (!order) return page(own.map((each) => `<a href=/orders/${each}>Order ${each}</a>`).join());
    const isOpen = has("opens_all_orders") || has("opens_all_profiles") || own.includes(order);
    const owner = accounts.find(({ id }) => id === Math.floor(order / 2));
    return isOpen && owner
      ? page(`<p>Order ${order} of ${escaped(owner.name)}, ${owner.email}`)
      : page("<p>No such order", 404);
  }

  return async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const id = /session=([^;]+)/.exec(request.headers.get("Cookie") ?? "")?.[1] ?? "";
    const known = has("cookie_with_name")
      ? accounts.filter(({ name }) => name === decodeURIComponent(id))
        .map((account) => ({ ...sessions.values().next().value!, account, id }))[0]
      : undefined;
    const session = known ?? sessions.get(id);
    if (pathname === "/site.js") {
      return new Response(`fetch("/data/of-session")`, {
        headers: { "Content-Type": "text/javascript" },
      });
    }
    if (pathname === "/data/of-session" && session?.account) {
      const token = has("token_in_data") ? session.token : undefined;
      const response = Response.json({ name: session.account.name, token });
      if (has("any_origin_of_data")) allowOrigin(response, request);
      return response;
    }
    if (pathname.startsWith("/orders") && session?.account) {
      return ordersPage(Number(pathname.slice("/orders/".length)), session.account);
    }
    if (pathname === "/") return page(`<a href="/login?back=%2Faccount">Sign in</a>${otherLink}`);
    if (pathname === "/login" && has("checks_redirect_uri") && searchParams.has("redirect_uri")) {
      return page("<p>Unknown redirect_uri", 400);
    }
    const issuer = searchParams.get("iss");
    if (pathname === "/login" && issuer !== null && has("login_at_any_issuer")) {
      const found = await lab.fetch(`${issuer}/.well-known/openid-configuration`);
      return page("<p>This provider does not work", found.ok ? 501 : 502);
    }
    if (pathname === "/login") {
      const host = has("follows_forwarded_host") ? request.headers.get("X-Forwarded-Host") : null;
      return await begin(searchParams.get("back") ?? "/account", session, host);
    }
    const isOther = pathname === "/callback/other" && has("confuses_two_callbacks");
    if (pathname === "/callback" || isOther) {
      return await finish(searchParams, sessions.get(id)).catch(() =>
        page(has("header_in_error") ? `<p>Sent: Basic ${btoa(`site:${secret}`)}` : "<p>Failed", 400)
      );
    }
    const back = searchParams.get("returnTo");
    const leadsAway = has("sign_out_redirect") && session?.account;
    if (pathname === "/leave" && back !== null && leadsAway) return to(back);
    if (pathname === "/leave" && request.method === "GET" && has("sign_out_page_redirect")) {
      const asked = session?.account ? back ?? "/" : "/";
      return page(
        `<form method=post action=/leave><input type=hidden name=token value="${formToken.html}">` +
          `<input type=hidden name=returnTo value="${asked}"><button>Sign out</button></form>`,
      );
    }
    if (pathname === "/leave" && request.method === "POST") {
      const fields = new URLSearchParams(await request.text());
      if (has("asks_for_form_token") && fields.get("token") !== formToken.value) {
        return page("<p>The form is too old", 400);
      }
      const sent = fields.get("returnTo");
      const isFromPage = has("sign_out_page_redirect") && fields.get("token") === formToken.value;
      const isFromButton = (has("sign_out_button_redirect") || isFromPage) && session?.account;
      if (sent !== null && (has("sign_out_form_redirect") || isFromButton)) return to(sent);
      if (has("idle_sign_out")) return to("/");
      if (has("ends_other_session")) sessions.delete(firstSessionOf(session?.account));
      else if (!has("old_cookie")) sessions.delete(id);
      const response = to("/");
      response.headers.append("Set-Cookie", "session=; Path=/; Max-Age=0");
      return response;
    }
    const isGate = has("has_gates") || [...weaknesses].some((each) => /^(staff|admin)_/.test(each));
    if (isGate && (pathname === "/staff" || pathname === "/admin")) {
      const isOpen = session?.account?.[pathname === "/staff" ? "isStaff" : "isAdmin"];
      return isOpen ? page("<p>For some") : page("<p>Not for you", 403);
    }
    if (pathname === "/account/other") return page(refusal);
    if (pathname === "/members" && session?.account) {
      return page(`<ul>${accounts.map((each) => `<li>${each.name}`)}</ul>`);
    }
    const named = has("trusts_proxy_user") && request.headers.get("X-Forwarded-User");
    const trusted = accounts.find(({ user }) => user === named);
    if (trusted) return accountPage(trusted);
    const forwarded = has("trusts_proxy_path") && request.headers.get("X-Forwarded-Uri");
    if (forwarded === "/login" && !session) return accountPage({ ...nobody });
    const isSpelled = has("open_spelling") && pathname === "/account/" ||
      has("open_in_query") && searchParams.get("path") === "/health";
    if (isSpelled || (has("login_opens_page") && session)) {
      return accountPage(session?.account ?? { ...nobody });
    }
    if (pathname !== "/account" && !has("unique_landing")) return page("<p>Not here", 404);
    if (session && (has("reads_userinfo") || has("repeats_refused_token"))) {
      const { error } = await read("userinfo", { Authorization: `Bearer ${session.token}` });
      if (error && has("repeats_refused_token")) return page(`<p>${error}`);
      if (error) {
        sessions.delete(id);
        return to("/login?back=%2Faccount");
      }
    }
    if (session?.account) {
      const account = has("shared_account") && lastAccount || session.account;
      const response = accountPage(account, searchParams.get("returnTo"));
      if (has("any_origin")) allowOrigin(response, request);
      if (has("public_page")) response.headers.set("Cache-Control", "public, max-age=60");
      return response;
    }
    if (has("page_in_redirect")) {
      const { headers } = to("/login?back=%2Faccount");
      return new Response(accountPage({ ...nobody }).body, { status: 302, headers });
    }
    return to(has("leads_home") ? "/" : "/login?back=%2Faccount");
  };
}

function allowOrigin({ headers }: Response, request: Request): void {
  headers.set("Access-Control-Allow-Origin", request.headers.get("Origin") ?? siteOrigin);
  headers.set("Access-Control-Allow-Credentials", "true");
}

/** What a page shows that nobody has asked for by a login. */
const nobody: SiteAccount = {
  id: 0,
  key: "",
  sub: "",
  user: "",
  name: "undefined",
  email: "",
  isStaff: false,
  isAdmin: false,
};

function escaped(text: string): string {
  return text.replaceAll("<", "&lt;");
}

function page(html: string, status = 200): Response {
  return new Response(html, { status, headers: { "Content-Type": "text/html" } });
}

function to(location: string): Response {
  return new Response(null, { status: 302, headers: { Location: location } });
}
