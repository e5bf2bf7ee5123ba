import { createLocalJWKSet, decodeJwt, type JWTPayload, jwtVerify } from "jose";
import type { HallpassOptions, TestLab } from "../../src/lab/testing/mod.ts";
import type { ClientConfig } from "../../src/server/features.ts";
import { sha256 } from "../../src/server/util/crypto/hash.ts";
import { openHurriedLab } from "./hurried_lab.ts";
import { hasFeature } from "./where_feature.ts";

/** How an application checks what it gets. */
export type Carefulness = "careful" | "careless";

/** What goes wrong in production with an application that checks everything. */
export type Weakness =
  | "same_session"
  | "redeems_twice"
  | "code_in_url"
  | "session_survives"
  | "no_sign_out"
  | "no_refresh"
  | "local_sign_out"
  | "sign_out_begins_login"
  | "failed_tab_ends_session"
  | "refreshes_in_parallel"
  | "logout_ignored"
  | "keeps_dead_refresh_token"
  | "keeps_first_refresh_token"
  | "ignores_failed_refresh"
  | "retries_refresh_for_ever"
  | "remembers_failure";

/** An application under test, as a function from requests to responses. */
export type Application = (request: Request) => Promise<Response>;

/** The origin of the application, if it has no port of its own. */
export const origin = "http://localhost:3000";

const clientId = "drilled";

/** Returns the configuration of the application as a client. */
export function drilledClient(ownOrigin: string = origin): ClientConfig {
  return {
    id: clientId,
    redirectUris: [`${ownOrigin}/callback`],
    grantTypes: ["authorization_code", "refresh_token"],
    ...hasFeature("logout") && { postLogoutRedirectUris: [`${ownOrigin}/signed-out`] },
    ...hasFeature("back-channel logout") && {
      backchannelLogoutUri: `${ownOrigin}/backchannel-logout`,
    },
  };
}

/** The one session of the application, as long as it has a single user. */
interface AppSession {
  state: string;
  nonce: string;
  verifier: string;
  /** Where a login ends. */
  back: string;
  user?: string;
  /** The session at the lab. */
  sid?: unknown;
  hasEnded?: boolean;
  /** Whether it goes on although its user has signed out. */
  survives?: boolean;
  tokens?: AppTokens;
  /** The refresh that goes on, which all requests share. */
  refreshing?: Promise<void> | undefined;
}

/** The lab, as far as an application needs it. */
export type SignInServer = Pick<TestLab, "issuer" | "fetch">;

/** A lab that can reach an application. */
export interface DrilledLab {
  lab: TestLab;
  /** The URLs to which the lab sent requests. */
  visited: string[];
}

/** Opens a lab that reaches an application without a network. */
export async function openDrilledLab(
  carefulness: Carefulness,
  options: HallpassOptions = {},
  released: PromiseLike<unknown> = Promise.resolve(),
  weaknesses: readonly Weakness[] = [],
): Promise<DrilledLab> {
  const visited: string[] = [];
  const parts: { application?: Application } = {};
  const lab = await openHurriedLab({
    alg: "EdDSA",
    ...options,
    async fetch(url, { method, headers, body }) {
      visited.push(url);
      await released;
      const request = new Request(url, { method, headers, body: body ?? null });
      return await parts.application?.(request) ?? new Response(null, { status: 500 });
    },
  });
  // RSA keys would take most of the time of a drill.
  lab.clients.put({ ...drilledClient(), idTokenAlg: "EdDSA" });
  parts.application = createApplication(lab, carefulness, origin, weaknesses);
  return { lab, visited };
}

/** Creates an application that signs users in at a lab, carefully or not. */
export function createApplication(
  lab: SignInServer,
  carefulness: Carefulness,
  ownOrigin: string = origin,
  weaknesses: readonly Weakness[] = [],
): Application {
  const has = (weakness: Weakness) => weaknesses.includes(weakness);
  let hasFailed = false;
  const redirectUri = `${ownOrigin}/callback`;
  const sessions = new Map<string, AppSession>();
  const sessionOf = (request: Request) =>
    sessions.get(/session=([^;]+)/.exec(request.headers.get("Cookie") ?? "")?.[1] ?? "");

  async function begin(back = "/"): Promise<Response> {
    const id = crypto.randomUUID();
    const session = { state: crypto.randomUUID(), nonce: crypto.randomUUID() };
    const verifier = `${crypto.randomUUID()}${crypto.randomUUID()}`;
    const isOwn = new URL(back, ownOrigin).origin === ownOrigin;
    sessions.set(id, { ...session, verifier, back: isOwn ? back : "/" });
    const query = new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: "openid offline_access",
      code_challenge: await sha256(verifier),
      code_challenge_method: "S256",
      ...session,
    });
    return redirect(
      `${lab.issuer}/oauth2/authorize?${query}`,
      `session=${id}; Path=/; HttpOnly; SameSite=Lax`,
    );
  }

  /** Begins a session, so that nobody who knows the id from before the sign-in shares it. */
  function renewSession(session: AppSession): string | undefined {
    if (has("same_session")) return undefined;
    if (session.hasEnded) return undefined;
    for (const [id, each] of sessions) if (each === session) sessions.delete(id);
    const id = crypto.randomUUID();
    sessions.set(id, { ...session });
    return `session=${id}; Path=/; HttpOnly; SameSite=Lax`;
  }

  async function finish(request: Request, session: AppSession): Promise<Response> {
    const parameters = new URL(request.url).searchParams;
    if (carefulness === "careful") checkCallback(lab, parameters, session);
    const code = parameters.get("code") ?? fail("no code");
    const redemption = {
      grant_type: "authorization_code",
      redirect_uri: redirectUri,
      code,
      code_verifier: session.verifier,
    };
    const tokens = await requestTokens(lab, redemption);
    if (has("redeems_twice")) await requestTokens(lab, redemption);
    session.tokens = tokens;
    session.user = carefulness === "careful"
      ? await verify(lab, tokens, session.nonce)
      : decodeJwt(tokens.id_token ?? fail("no ID token")).sub ?? "";
    session.sid = decodeJwt(tokens.id_token ?? "").sid;
    const cookie = renewSession(session);
    return has("code_in_url") ? htmlResponse("<p>Hello", cookie) : redirect(session.back, cookie);
  }

  async function refresh(session: AppSession): Promise<Response> {
    if (session.user === undefined) return redirect("/login");
    const refreshing = session.refreshing ?? renewTokens(session);
    if (!has("refreshes_in_parallel")) session.refreshing = refreshing;
    try {
      await refreshing;
      return new Response("Refreshed");
    } catch {
      if (has("ignores_failed_refresh")) return new Response("Refreshed");
      if (!has("keeps_dead_refresh_token")) delete session.user;
      return new Response("Sign in again", { status: has("keeps_dead_refresh_token") ? 500 : 400 });
    } finally {
      session.refreshing = undefined;
    }
  }

  async function renewTokens(session: AppSession): Promise<void> {
    const { refresh_token = "" } = session.tokens ?? {};
    const request = { grant_type: "refresh_token", refresh_token };
    const attempts = has("retries_refresh_for_ever") ? 20 : 1;
    let tokens: AppTokens = {};
    for (let attempt = 0; attempt < attempts && !tokens.access_token; attempt++) {
      tokens = await requestTokens(lab, request).catch(() => ({}));
    }
    if (carefulness === "careful") {
      const { sub } = await verifyJwt(lab, tokens.id_token, ["sub"]);
      if (sub !== session.user) fail("another user");
    }
    const kept = has("keeps_first_refresh_token") && { refresh_token };
    session.tokens = { ...session.tokens, ...tokens, ...kept };
  }

  function signOut(session: AppSession): Response {
    const query = new URLSearchParams({
      id_token_hint: session.tokens?.id_token ?? "",
      post_logout_redirect_uri: `${ownOrigin}/signed-out`,
      state: session.state,
    });
    if (has("session_survives")) session.survives = true;
    else delete session.user;
    if (has("local_sign_out")) return new Response("Bye");
    if (has("sign_out_begins_login")) return redirect("/");
    return redirect(`${lab.issuer}/oauth2/logout?${query}`);
  }

  async function endByToken(request: Request): Promise<Response> {
    if (carefulness === "careless") return new Response();
    const token = new URLSearchParams(await request.text()).get("logout_token") ?? "";
    const claims = await verifyJwt(lab, token, ["events", "jti"]);
    if (claims.sub === undefined && claims.sid === undefined) fail("no sub and no sid");
    if (!Object.hasOwn(claims.events as object, logoutEvent)) fail("another event");
    if ("nonce" in claims) fail("a nonce");
    for (const [id, { user, sid, survives = has("logout_ignored") }] of sessions) {
      const isMeant = claims.sid === undefined ? user === claims.sub : sid === claims.sid;
      if (isMeant && !survives) sessions.delete(id);
    }
    return new Response();
  }

  async function respondWith(request: Request, session: AppSession): Promise<Response | undefined> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/callback") return await finish(request, session);
    if (pathname === "/refresh" && !has("no_refresh")) return await refresh(session);
    if (pathname === "/logout" && !has("no_sign_out")) return signOut(session);
    if (pathname !== "/signed-out") return undefined;
    const isSame = searchParams.get("state") === session.state;
    return isSame || carefulness === "careless" ? new Response("Bye") : fail("wrong state");
  }

  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const session = sessionOf(request);
    if (pathname === "/login") return await begin(searchParams.get("back") ?? "/");
    if (pathname === "/public") return new Response("Welcome");
    if (pathname === "/links") return htmlResponse(linksPage("/login"));
    if (pathname === "/public-home") return htmlResponse(linksPage("/login?back=/public-home"));
    if (pathname === "/dead-link") return htmlResponse(linksPage("/public/sign-in"));
    if (pathname === "/elsewhere") return redirect("http://169.254.169.254/latest/meta-data");
    if (pathname === "/elsewhere-login") {
      return redirect("https://login.example/authorize?response_type=code&client_id=web");
    }
    if (pathname === "/loop") return redirect("/loop");
    if (pathname === "/buttons") return htmlResponse(signInPage);
    if (pathname === "/by-button") {
      return request.method === "POST" ? await begin() : fail("no POST");
    }
    const badRequest = () => new Response(null, { status: 400 });
    if (pathname === "/backchannel-logout") return await endByToken(request).catch(badRequest);
    const onFailure = ({ message }: Error) => {
      if (session && has("failed_tab_ends_session")) {
        session.hasEnded = true;
        sessions.clear();
      }
      hasFailed = has("remembers_failure") && message !== "wrong state";
      return badRequest();
    };
    if (hasFailed) return new Response(null, { status: 500 });
    const response = session && await respondWith(request, session).catch(onFailure);
    if (response) return response;
    // A logout token may have ended the session meanwhile.
    if (pathname === "/signed-out") return new Response("Bye");
    if (pathname !== "/") return new Response(null, { status: 404 });
    return session?.user === undefined ? redirect("/login") : new Response(`Hello ${session.user}`);
  };
}

function linksPage(href: string): string {
  return `<a href="/logout">Sign out</a> <a href="/cart?add=1">Buy</a>
    <a href="${href}"><b>Sign</b> in</a> <a href="https://other.example/login">Log in</a>`;
}

const signInPage = `
  <form action="/search"><input name="q"></form>
  <form action="/by-password" method="post"><input name="user"><button>Sign in</button></form>
  <form action="/by-button" METHOD='POST'><input type=hidden name=csrf value='a&amp;b'>
    <button type="submit" name="provider" value="lab">Continue with the lab</button></form>`;

interface AppTokens {
  access_token?: string;
  token_type?: string;
  id_token?: string;
  refresh_token?: string;
}

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

function checkCallback(lab: SignInServer, parameters: URLSearchParams, session: AppSession): void {
  if (parameters.getAll("state").join() !== session.state) fail("wrong state");
  if (parameters.getAll("iss").join() !== lab.issuer) fail("wrong iss");
  if (parameters.has("error")) fail("an error");
}

async function requestTokens(
  lab: SignInServer,
  fields: Record<string, string>,
): Promise<AppTokens> {
  const body = new URLSearchParams({ ...fields, client_id: clientId });
  return await (await lab.fetch(`${lab.issuer}/oauth2/token`, { method: "POST", body })).json();
}

/** Verifies the ID token, and compares its user with that of userinfo. */
async function verify(lab: SignInServer, tokens: AppTokens, nonce: string): Promise<string> {
  if (tokens.token_type?.toLowerCase() !== "bearer") fail("wrong token_type");
  const payload = await verifyJwt(lab, tokens.id_token, ["sub", "nonce"]);
  if (payload.nonce !== nonce) fail("wrong nonce");
  const userinfo = await lab.fetch(`${lab.issuer}/oauth2/userinfo`, {
    headers: { Authorization: `Bearer ${tokens.access_token}` },
  });
  const { sub } = await userinfo.json();
  return sub === payload.sub ? String(sub) : fail("wrong sub");
}

/** Verifies a JWT of the lab that is for this application alone. */
async function verifyJwt(
  lab: SignInServer,
  jwt: string = fail("no JWT"),
  claims: readonly string[],
): Promise<JWTPayload> {
  const keys = createLocalJWKSet(await (await lab.fetch(`${lab.issuer}/oauth2/jwks`)).json());
  const { payload } = await jwtVerify(jwt, keys, {
    issuer: lab.issuer,
    audience: clientId,
    requiredClaims: ["exp", "iat", ...claims],
    algorithms: ["RS256", "EdDSA"],
  });
  if ([payload.aud].flat().length > 1) fail("another audience");
  if ((payload.azp ?? clientId) !== clientId) fail("another azp");
  return payload;
}

function redirect(location: string, cookie?: string): Response {
  const headers = new Headers({ Location: location });
  if (cookie) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 302, headers });
}

function htmlResponse(html: string, cookie?: string): Response {
  const headers = new Headers({ "Content-Type": "text/html" });
  if (cookie) headers.append("Set-Cookie", cookie);
  return new Response(html, { headers });
}

function fail(reason: string): never {
  throw new Error(reason);
}
