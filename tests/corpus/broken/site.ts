// An application by hand, which makes every check that it must. A bug replaces one of its steps.
import {
  calculateJwkThumbprint,
  compactVerify,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from "jose";

export const clientId = "site";
export const clientSecret = "the-secret-of-the-site-with-40-characters";

/** How the application is built. Each of these is correct. */
export interface Configuration {
  /** How the client authenticates. */
  client?: "secret" | "none" | "private_key_jwt";
  pkce?: boolean;
  nonce?: boolean;
  responseMode?: "query" | "form_post" | "jwt";
  scope?: string;
  userinfo?: boolean;
  dpop?: boolean;
  /** Whether the ID token's signature is verified: one from the token endpoint may rely on TLS. */
  signatures?: boolean;
  /** The oldest sign-in that it accepts, in seconds. */
  maxAge?: number;
  /** Whether it signs users out at the server as well. */
  endsServerSession?: boolean;
  /** Whether it pushes the authorization request. */
  par?: boolean;
  /** Whether users may choose another provider as well, whose responses come to the same URI. */
  otherIssuer?: boolean;
  /** Whether it has a redirect URI for each connection, of which this is one. */
  otherCallback?: boolean;
}

/** Where the application is, and what it reaches. */
export interface SiteSettings {
  issuer: string;
  origin: string;
  fetch(request: Request): Promise<Response>;
  /** Returns the time in milliseconds. */
  now(): number;
  configuration: Required<Configuration>;
}

export const usual: Required<Configuration> = {
  client: "secret",
  pkce: true,
  nonce: true,
  responseMode: "query",
  scope: "openid profile email offline_access",
  userinfo: true,
  dpop: false,
  signatures: true,
  maxAge: 0,
  endsServerSession: true,
  par: false,
  otherIssuer: false,
  otherCallback: false,
};

// deno-lint-ignore no-explicit-any
export type Json = Record<string, any>;

/** A login that has begun in a browser. */
export interface Pending {
  state: string;
  nonce: string;
  verifier: string;
  /** Where it ends. */
  back: string;
}

export interface Account {
  number: number;
  name: string;
  email: string;
}

/** A browser's session, from its first login on. */
export interface Session {
  id: string;
  pending: Pending[];
  account?: Account | undefined;
  tokens: Json;
  claims: Json;
  expiresAt: number;
  /** The refresh that goes on, which all requests share. */
  refreshing?: Promise<void> | undefined;
}

/** Shown to the user, with a status. */
export class Problem extends Error {
  constructor(message: string, readonly status = 400) {
    super(message);
  }
}

export class Site {
  readonly sessions = new Map<string, Session>();
  readonly accounts = new Map<string, Account>();
  readonly signOuts = new Set<string>();
  readonly keys = new Map<string, JWK>();
  readonly redirectUri: string;
  dpopNonce: string | undefined;
  ownKeys: Promise<CryptoKeyPair> | undefined;

  constructor(readonly settings: SiteSettings) {
    this.redirectUri = `${settings.origin}/callback`;
  }

  async respond(request: Request): Promise<Response> {
    try {
      return await this.route(request, new URL(request.url));
    } catch (cause) {
      return this.showProblem(cause, request);
    }
  }

  route(request: Request, url: URL): Response | Promise<Response> {
    const session = this.findSession(request);
    const place = `${request.method} ${url.pathname}`;
    if (place === "GET /") return this.homePage(session);
    if (place === "GET /login") return this.beginLogin(request, url.searchParams);
    if (this.isCallback(url)) return this.callback(request, url);
    if (place === "GET /account") return this.accountPage(request, session);
    if (place === "GET /profile") return this.profilePage(request, session);
    if (place === "GET /refresh") return this.refreshPage(request, session);
    if (place === "POST /logout") return this.signOut(request, session);
    if (place === "GET /signed-out") return this.signedOutPage(url.searchParams);
    if (place === "POST /backchannel-logout") return this.backchannelLogout(request);
    throw new Problem("There is no such page.", 404);
  }

  isCallback({ origin, pathname }: URL): boolean {
    return origin + pathname === this.redirectUri;
  }

  // Pages

  homePage(session: Session | undefined): Response {
    return session?.account
      ? this.page(`<p>Hello ${escape(session.account.name)}</p><a href="/account">Account</a>`)
      : this.page(`<p>Welcome</p><a href="/login">Sign in</a>${this.otherLink()}`);
  }

  otherLink(): string {
    if (!this.settings.configuration.otherIssuer) return "";
    const query = new URLSearchParams({
      response_type: "code",
      client_id: "site-there",
      redirect_uri: this.redirectUri,
      scope: "openid",
      state: crypto.randomUUID(),
    });
    const url = `https://accounts.other.example/authorize?${query}`;
    return ` <a href="${escape(url)}">Continue with Other</a>`;
  }

  accountPage(request: Request, session: Session | undefined): Response | Promise<Response> {
    if (!session?.account) return this.askForLogin(request);
    return this.page(this.accountHtml(session, session.account));
  }

  accountHtml(session: Session, { name, email, number }: Account): string {
    return `<h1>Hello ${escape(name)}</h1>
      <p>Signed in as <b>${escape(email)}</b>, member ${number}, ${escape(session.claims.sub)}</p>
      <a href="/profile">Profile</a> <a href="/refresh">Renew</a>
      <form method="post" action="/logout"><button>Sign out</button></form>`;
  }

  /** Shows what userinfo has now. */
  async profilePage(request: Request, session: Session | undefined): Promise<Response> {
    if (!session?.account) return this.askForLogin(request);
    if (this.isExpired(session)) await this.refresh(session);
    const { name = "" } = await this.userinfo(session.tokens);
    return this.page(`<p>At the provider, your name is ${escape(name)}</p>`);
  }

  async refreshPage(request: Request, session: Session | undefined): Promise<Response> {
    if (!session?.account) return this.askForLogin(request);
    await this.refresh(session);
    return this.page("<p>Renewed</p>");
  }

  signedOutPage(parameters: URLSearchParams): Response {
    if (!this.signOuts.delete(parameters.get("state") ?? "")) {
      throw new Problem("Not your sign-out");
    }
    return this.page(`<p>Goodbye</p><a href="/login">Sign in</a>`);
  }

  askForLogin(request: Request): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    return redirect(`/login?back=${encodeURIComponent(pathname)}`);
  }

  showProblem(cause: unknown, _request: Request): Response {
    const { message, status } = cause instanceof Problem ? cause : new Problem("Failed", 500);
    return this.page(`<p>${escape(message)}</p><a href="/login">Sign in</a>`, status);
  }

  page(html: string, status = 200): Response {
    const headers = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" };
    return new Response(`<!doctype html><title>The site</title>${html}`, { status, headers });
  }

  // Sessions

  findSession(request: Request): Session | undefined {
    const id = /(?:^|; )session=([^;]+)/.exec(request.headers.get("Cookie") ?? "")?.[1];
    return id === undefined ? undefined : this.sessions.get(id);
  }

  newSession(): Session {
    const id = crypto.randomUUID();
    const session = { id, pending: [], tokens: {}, claims: {}, expiresAt: 0 };
    this.sessions.set(id, session);
    return session;
  }

  /** Gives a session another id, so that nobody knows it from before the sign-in. */
  renewSession(session: Session): Session {
    this.sessions.delete(session.id);
    session.id = crypto.randomUUID();
    this.sessions.set(session.id, session);
    return session;
  }

  endSession(session: Session): void {
    this.sessions.delete(session.id);
  }

  sessionCookie(id: string): string {
    const isCrossSite = this.settings.configuration.responseMode === "form_post";
    return `session=${id}; Path=/; HttpOnly; SameSite=${isCrossSite ? "None; Secure" : "Lax"}`;
  }

  // The authorization request

  async beginLogin(request: Request, parameters: URLSearchParams): Promise<Response> {
    const session = this.findSession(request) ?? this.newSession();
    const pending = {
      state: this.newState(),
      nonce: this.newNonce(),
      verifier: this.newVerifier(),
      back: this.readBack(parameters.get("back") ?? "/account"),
    };
    session.pending = [...session.pending, pending].slice(-10);
    const { authorization_endpoint } = await this.metadata();
    const sent = await this.authorizationParameters(pending);
    const { par } = this.settings.configuration;
    const query = new URLSearchParams(par ? await this.push(sent) : sent);
    return redirect(`${authorization_endpoint}?${query}`, this.sessionCookie(session.id));
  }

  async push(parameters: Record<string, string>): Promise<Record<string, string>> {
    const { pushed_authorization_request_endpoint: endpoint } = await this.metadata();
    const response = await this.sendTokenRequest(endpoint, parameters);
    if (!response.ok) throw new Problem(`The request was refused with ${response.status}`, 502);
    const { request_uri } = await response.json();
    return { client_id: clientId, request_uri };
  }

  newState(): string {
    return crypto.randomUUID();
  }

  newNonce(): string {
    return crypto.randomUUID();
  }

  newVerifier(): string {
    return `${crypto.randomUUID()}${crypto.randomUUID()}`;
  }

  /** A login may end on a page of this site alone. */
  readBack(back: string): string {
    const { origin } = this.settings;
    const isOwn = URL.canParse(back, origin) && new URL(back, origin).origin === origin;
    return isOwn ? new URL(back, origin).href : "/account";
  }

  async authorizationParameters(pending: Pending): Promise<Record<string, string>> {
    const { pkce, nonce, responseMode, scope, maxAge, dpop } = this.settings.configuration;
    return {
      response_type: "code",
      client_id: clientId,
      redirect_uri: this.redirectUri,
      scope,
      state: pending.state,
      ...nonce && { nonce: pending.nonce },
      ...pkce && {
        code_challenge: await sha256(pending.verifier),
        code_challenge_method: "S256",
      },
      ...responseMode !== "query" && { response_mode: responseMode },
      ...maxAge > 0 && { max_age: String(maxAge) },
      ...dpop && { dpop_jkt: await calculateJwkThumbprint(await this.publicKey()) },
    };
  }

  // The authorization response

  async callback(request: Request, url: URL): Promise<Response> {
    const isPost = request.method === "POST";
    const received = isPost ? new URLSearchParams(await request.text()) : url.searchParams;
    const { responseMode } = this.settings.configuration;
    const parameters = responseMode === "jwt" ? await this.readJarm(received) : received;
    const session = this.findSession(request) ?? this.sessionOfNobody();
    const pending = this.takePending(session, parameters);
    this.checkIssuer(parameters);
    if (parameters.has("error")) return this.loginFailed(parameters);
    return await this.finishLogin(session, pending, parameters.get("code") ?? "");
  }

  sessionOfNobody(): Session {
    throw new Problem("No login has begun in this browser");
  }

  /** Finds the login that this is the response to: in this browser, by its state, once. */
  takePending(session: Session, parameters: URLSearchParams): Pending {
    const state = parameters.getAll("state").join();
    const pending = session.pending.find((each) => each.state === state);
    if (!pending) throw new Problem("No such login has begun in this browser");
    session.pending = session.pending.filter((each) => each !== pending);
    return pending;
  }

  checkIssuer(parameters: URLSearchParams): void {
    if (parameters.getAll("iss").join() !== this.settings.issuer) throw new Problem("Wrong issuer");
  }

  async readJarm(parameters: URLSearchParams): Promise<URLSearchParams> {
    const claims = await this.verifyJarm(parameters.get("response") ?? "");
    this.checkJarm(claims);
    return new URLSearchParams(
      Object.entries(claims).map(([name, value]) => [name, String(value)]),
    );
  }

  verifyJarm(response: string): Promise<Json> {
    return this.verify(response);
  }

  checkJarm({ iss, aud, exp }: Json): void {
    if (iss !== this.settings.issuer) throw new Problem("Wrong issuer");
    if ([aud].flat().join() !== clientId) throw new Problem("Wrong audience");
    if (!(exp > this.settings.now() / 1000)) throw new Problem("Expired");
  }

  loginFailed(parameters: URLSearchParams): Response {
    const reason = parameters.get("error_description") ?? parameters.get("error");
    throw new Problem(`The sign-in failed: ${reason}`);
  }

  async finishLogin(session: Session, pending: Pending, code: string): Promise<Response> {
    const tokens = await this.redeem(code, pending);
    this.checkTokens(tokens);
    const claims = await this.readIdToken(tokens.id_token, pending);
    const { userinfo } = this.settings.configuration;
    const info = userinfo ? await this.userinfo(tokens) : claims;
    this.checkUserinfo(info, claims);
    const signedIn = this.renewSession(session);
    Object.assign(signedIn, { claims, account: this.findAccount(claims, { ...claims, ...info }) });
    this.keepTokens(signedIn, tokens);
    return this.afterLogin(signedIn, pending);
  }

  afterLogin(session: Session, { back }: Pending): Response {
    return redirect(back, this.sessionCookie(session.id));
  }

  /** An account is that of one user of one issuer. */
  findAccount(claims: Json, info: Json): Account {
    const key = this.accountKey(claims, info);
    const number = this.accounts.size + 1;
    const { name = claims.sub, email = "" } = info;
    const account = this.accounts.get(key) ?? { number, name, email };
    this.accounts.set(key, account);
    return account;
  }

  accountKey({ iss, sub }: Json, _info: Json): string {
    return `${iss} ${sub}`;
  }

  // Tokens

  redeem(code: string, { verifier }: Pending): Promise<Json> {
    const { pkce } = this.settings.configuration;
    return this.requestTokens({
      grant_type: "authorization_code",
      code,
      redirect_uri: this.redirectUri,
      ...pkce && { code_verifier: verifier },
    });
  }

  async requestTokens(fields: Record<string, string>): Promise<Json> {
    const { token_endpoint } = await this.metadata();
    const send = async () => await this.sendTokenRequest(token_endpoint, fields);
    let response = await send();
    if (await this.wantsNonce(response)) response = await send();
    if (!response.ok) throw new Problem(`The token endpoint responded with ${response.status}`);
    return await response.json();
  }

  async sendTokenRequest(endpoint: string, fields: Record<string, string>): Promise<Response> {
    const { headers, body } = await this.authentication();
    return await this.fetch(endpoint, {
      method: "POST",
      headers: { ...headers, ...await this.proofHeader("POST", endpoint) },
      body: new URLSearchParams({ ...fields, ...body }),
    });
  }

  async authentication(): Promise<{ headers?: HeadersInit; body?: Record<string, string> }> {
    const { client } = this.settings.configuration;
    if (client === "secret") {
      return { headers: { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` } };
    }
    if (client === "none") return { body: { client_id: clientId } };
    return {
      body: {
        client_id: clientId,
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: await this.clientAssertion(await this.assertionAudience()),
      },
    };
  }

  assertionAudience(): string | Promise<string> {
    return this.settings.issuer;
  }

  async clientAssertion(audience: string): Promise<string> {
    const { privateKey } = await this.keyPair();
    const now = Math.floor(this.settings.now() / 1000);
    return await new SignJWT({ jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: "ES256", kid: "own" })
      .setIssuer(clientId).setSubject(clientId).setAudience(audience)
      .setIssuedAt(now).setExpirationTime(now + 60).sign(privateKey);
  }

  /** A token of an unknown type is not used (RFC 6749, section 7.1). */
  checkTokens({ token_type = "", access_token }: Json): void {
    const wanted = this.settings.configuration.dpop ? "dpop" : "bearer";
    if (token_type.toLowerCase() !== wanted) throw new Problem("Unknown type of token");
    if (typeof access_token !== "string") throw new Problem("No access token");
  }

  keepTokens(session: Session, tokens: Json): void {
    session.tokens = { ...session.tokens, ...tokens };
    session.expiresAt = this.settings.now() + (tokens.expires_in ?? 3600) * 1000;
  }

  isExpired({ expiresAt }: Session): boolean {
    return expiresAt <= this.settings.now() + 5000;
  }

  // The ID token

  async readIdToken(token: string | undefined, { nonce }: Pending): Promise<Json> {
    if (token === undefined) throw new Problem("No ID token");
    const claims = this.settings.configuration.signatures
      ? await this.verifyIdToken(token)
      : readClaims(token);
    this.checkClaims(claims);
    if (this.settings.configuration.nonce) this.checkNonce(claims, nonce);
    if (this.settings.configuration.maxAge > 0) this.checkAuthTime(claims);
    return claims;
  }

  verifyIdToken(token: string): Promise<Json> {
    return this.verify(token);
  }

  async verify(token: string): Promise<Json> {
    const { kid = "", alg } = decodeProtectedHeader(token);
    const key = await this.findKey(kid);
    if (!key || alg !== "RS256") throw new Problem("Unknown key");
    await compactVerify(token, await importJWK(key, alg), { algorithms: [alg] }).catch(() => {
      throw new Problem("Wrong signature");
    });
    return readClaims(token);
  }

  async findKey(kid: string): Promise<JWK | undefined> {
    if (!this.keys.has(kid)) await this.fetchKeys();
    return this.keys.get(kid);
  }

  async fetchKeys(): Promise<void> {
    const { jwks_uri } = await this.metadata();
    const { keys = [] } = await (await this.fetch(jwks_uri)).json();
    for (const key of keys) this.keys.set(key.kid ?? "", key);
  }

  checkClaims(claims: Json): void {
    this.checkIss(claims);
    this.checkAud(claims);
    this.checkAzp(claims);
    this.checkExp(claims);
    if (typeof claims.sub !== "string") throw new Problem("No sub");
    if (typeof claims.iat !== "number") throw new Problem("No iat");
  }

  checkIss({ iss }: Json): void {
    if (iss !== this.settings.issuer) throw new Problem("Wrong issuer");
  }

  checkAud({ aud }: Json): void {
    if ([aud].flat().join() !== clientId) throw new Problem("Wrong audience");
  }

  checkAzp({ azp = clientId }: Json): void {
    if (azp !== clientId) throw new Problem("Wrong authorized party");
  }

  checkExp({ exp }: Json): void {
    if (!(exp > this.settings.now() / 1000)) throw new Problem("Expired");
  }

  checkNonce(claims: Json, nonce: string): void {
    if (claims.nonce !== nonce) throw new Problem("Wrong nonce");
  }

  checkAuthTime({ auth_time }: Json): void {
    const oldest = this.settings.now() / 1000 - this.settings.configuration.maxAge - 5;
    if (!(auth_time >= oldest)) throw new Problem("The sign-in is too old");
  }

  // Userinfo

  async userinfo(tokens: Json): Promise<Json> {
    const { userinfo_endpoint } = await this.metadata();
    const response = await this.sendUserinfoRequest(userinfo_endpoint, tokens);
    if (!response.ok) throw new Problem(`Userinfo responded with ${response.status}`, 502);
    return await response.json();
  }

  async sendUserinfoRequest(endpoint: string, tokens: Json): Promise<Response> {
    const { access_token, token_type } = tokens;
    const send = async () => {
      const proof = await this.proofHeader("GET", endpoint, access_token);
      const scheme = proof ? "DPoP" : this.scheme(token_type);
      return await this.fetch(endpoint, {
        headers: { Authorization: `${scheme} ${access_token}`, ...proof },
      });
    };
    const response = await send();
    return await this.wantsNonce(response) ? await send() : response;
  }

  scheme(_tokenType: string): string {
    return "Bearer";
  }

  checkUserinfo(info: Json, { sub }: Json): void {
    if (info.sub !== sub) throw new Problem("Userinfo is about another user");
  }

  // Refreshing

  /** Refreshes once at a time, also if several pages need it at the same moment. */
  async refresh(session: Session): Promise<void> {
    session.refreshing ??= this.renewTokens(session).finally(() => session.refreshing = undefined);
    await session.refreshing;
  }

  async renewTokens(session: Session): Promise<void> {
    const { refresh_token = "" } = session.tokens;
    try {
      const tokens = await this.requestTokens({ grant_type: "refresh_token", refresh_token });
      this.checkTokens(tokens);
      if (tokens.id_token !== undefined) await this.checkRefreshed(tokens.id_token, session);
      this.keepTokens(session, tokens);
    } catch (cause) {
      return this.refreshFailed(session, cause);
    }
  }

  /** Without tokens, the user has to sign in again. */
  refreshFailed(session: Session, _cause: unknown): void {
    this.endSession(session);
    throw new Problem("Sign in again", 401);
  }

  async checkRefreshed(token: string, { claims }: Session): Promise<void> {
    const refreshed = this.settings.configuration.signatures
      ? await this.verifyIdToken(token)
      : readClaims(token);
    this.checkIss(refreshed);
    this.checkAud(refreshed);
    this.checkExp(refreshed);
    if (refreshed.sub !== claims.sub) throw new Problem("Another user");
  }

  // Signing out

  async signOut(_request: Request, session: Session | undefined): Promise<Response> {
    if (session) this.endSession(session);
    const gone = "session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax";
    const target = session && this.settings.configuration.endsServerSession
      ? await this.endSessionUrl(session)
      : "/";
    return redirect(target, gone);
  }

  async endSessionUrl({ tokens }: Session): Promise<string> {
    const { end_session_endpoint } = await this.metadata();
    const state = crypto.randomUUID();
    this.signOuts.add(state);
    const query = new URLSearchParams({
      client_id: clientId,
      id_token_hint: tokens.id_token ?? "",
      post_logout_redirect_uri: `${this.settings.origin}/signed-out`,
      state,
    });
    return `${end_session_endpoint}?${query}`;
  }

  async backchannelLogout(request: Request): Promise<Response> {
    const token = new URLSearchParams(await request.text()).get("logout_token") ?? "";
    const claims = await this.verifyLogoutToken(token);
    this.checkLogoutToken(claims);
    this.endSessionsOf(claims);
    return new Response(null, { headers: { "Cache-Control": "no-store" } });
  }

  verifyLogoutToken(token: string): Promise<Json> {
    return this.verify(token);
  }

  checkLogoutToken(claims: Json): void {
    this.checkIss(claims);
    this.checkAud(claims);
    this.checkExp(claims);
    this.checkLogoutEvent(claims);
    this.checkLogoutSubject(claims);
    this.checkLogoutNonce(claims);
  }

  checkLogoutEvent({ events }: Json): void {
    const isLogout = events?.["http://schemas.openid.net/event/backchannel-logout"] !== undefined;
    if (!isLogout) throw new Problem("Another event");
  }

  checkLogoutSubject({ sub, sid }: Json): void {
    if (sub === undefined && sid === undefined) throw new Problem("Nobody's session");
  }

  checkLogoutNonce({ nonce }: Json): void {
    if (nonce !== undefined) throw new Problem("An ID token");
  }

  endSessionsOf({ sub, sid }: Json): void {
    for (const session of this.sessions.values()) {
      const { claims } = session;
      if (sid !== undefined ? claims.sid === sid : claims.sub === sub) this.endSession(session);
    }
  }

  // The server

  async metadata(): Promise<Json> {
    const { issuer } = this.settings;
    const response = await this.fetch(`${issuer}/.well-known/openid-configuration`);
    const metadata = await response.json();
    this.checkMetadata(metadata);
    return metadata;
  }

  checkMetadata(metadata: Json): void {
    if (metadata.issuer !== this.settings.issuer) throw new Problem("Wrong metadata", 502);
  }

  fetch(url: string, init: RequestInit = {}): Promise<Response> {
    return this.settings.fetch(new Request(url, { redirect: "manual", ...init }));
  }

  keyPair(): Promise<CryptoKeyPair> {
    return this.ownKeys ??= generateKeyPair("ES256", { extractable: true });
  }

  async publicKey(): Promise<JWK> {
    return await exportJWK((await this.keyPair()).publicKey);
  }

  async proofHeader(method: string, url: string, token?: string) {
    if (!this.settings.configuration.dpop) return undefined;
    const { privateKey } = await this.keyPair();
    const claims = {
      jti: crypto.randomUUID(),
      htm: method,
      htu: url,
      ...token !== undefined && { ath: await sha256(token) },
      ...this.dpopNonce !== undefined && { nonce: this.dpopNonce },
    };
    const header = { alg: "ES256", typ: "dpop+jwt", jwk: await this.publicKey() };
    const proof = new SignJWT(claims).setProtectedHeader(header)
      .setIssuedAt(Math.floor(this.settings.now() / 1000));
    return { DPoP: await proof.sign(privateKey) };
  }

  /** Whether a server asks for a nonce in the next proof (RFC 9449, section 8). */
  async wantsNonce(response: Response): Promise<boolean> {
    const nonce = response.headers.get("DPoP-Nonce");
    if (nonce === null) return false;
    this.dpopNonce = nonce;
    if (response.ok) return false;
    return (await response.clone().text()).includes("use_dpop_nonce") ||
      (response.headers.get("WWW-Authenticate") ?? "").includes("use_dpop_nonce");
  }
}

export function readClaims(token: string): Json {
  const [, payload = ""] = token.split(".");
  const text = atob(payload.replaceAll("-", "+").replaceAll("_", "/"));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (each) => each.charCodeAt(0))));
}

export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function redirect(location: string, ...cookies: readonly string[]): Response {
  const headers = new Headers({ Location: location, "Cache-Control": "no-store" });
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 302, headers });
}

export function escape(text: unknown): string {
  return String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
