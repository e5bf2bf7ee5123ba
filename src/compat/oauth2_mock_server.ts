/**
 * The interface of `oauth2-mock-server` 9.3 on top of a lab: a suite changes one import.
 *
 * @module
 */

import { base64url, decodeJwt, exportJWK, generateKeyPair, importJWK, SignJWT } from "jose";
import {
  hallpass,
  type HallpassOptions,
  type HookRequest,
  LabError,
  type ResponseDraft,
  type TestLab,
} from "../lab/testing/mod.ts";

const mockUser = "johndoe";
const wellKnownPath = "/.well-known/openid-configuration";
const defaultPaths: OAuth2Endpoints = {
  wellKnownDocument: wellKnownPath,
  authorize: "/authorize",
  token: "/token",
  jwks: "/jwks",
  userinfo: "/userinfo",
  introspect: "/introspect",
  revoke: "/revoke",
  endSession: "/endsession",
};
const uncached = { "Cache-Control": "no-store", Pragma: "no-cache" };

/** The names of the events of a service. */
export const Events = {
  BeforeWellKnownOpenIdConfiguration: "beforeWellKnownOpenIdConfiguration",
  BeforeTokenSigning: "beforeTokenSigning",
  BeforeResponse: "beforeResponse",
  BeforeUserinfo: "beforeUserinfo",
  BeforeRevoke: "beforeRevoke",
  BeforeAuthorizeRedirect: "beforeAuthorizeRedirect",
  BeforePostLogoutRedirect: "beforePostLogoutRedirect",
  BeforeIntrospect: "beforeIntrospect",
} as const;

/** The members of a JSON object. */
export type Json<Value = unknown> = Record<string, Value>;
/** A token before it is signed. The algorithm is that of the key. */
export type MutableToken = { header: Json; payload: Json };
/** A response that a listener may change. */
export type MutableResponse = { statusCode: number; body: Json | "" };
/** A redirect whose URL a listener may change in place. */
export type MutableRedirectUri = { url: URL };
/** A request, as far as it is one of Node. `body` has the parameters of a query as well. */
export type TokenRequestIncomingMessage = HookRequest & { url: string; body: Json<string> };
/** A response, as far as it is one of Node. */
export type ServerResponse = {
  statusCode: number;
  setHeader(name: string, value: string): void;
  end(body?: string): void;
};
/** Responds to a request for a route of the test. */
export type MockHandler = (req: TokenRequestIncomingMessage, res: ServerResponse) => unknown;
/** A key of a store. */
export type StoredJwk = Json & { kid: string; alg: string };
/** What the listeners of a service get. */
export type ServiceEvents = {
  beforeWellKnownOpenIdConfiguration: [MutableResponse, TokenRequestIncomingMessage];
  beforeTokenSigning: [MutableToken, TokenRequestIncomingMessage];
  beforeResponse: [MutableResponse, TokenRequestIncomingMessage];
  beforeUserinfo: [MutableResponse, TokenRequestIncomingMessage];
  beforeRevoke: [MutableResponse, TokenRequestIncomingMessage];
  beforeAuthorizeRedirect: [MutableRedirectUri, TokenRequestIncomingMessage];
  beforePostLogoutRedirect: [MutableRedirectUri, TokenRequestIncomingMessage];
  beforeIntrospect: [MutableResponse, TokenRequestIncomingMessage];
};
/** What a token is built from. It expires in an hour, and the keys take turns. */
export type TokenBuildOptions = {
  kid?: string | undefined;
  scopesOrTransform?: string | string[] | ((header: Json, payload: Json) => void) | undefined;
  expiresIn?: number | undefined;
};
/** The options of a server: other paths. */
export type OAuth2Options = { endpoints?: Partial<OAuth2Endpoints> };
/** The paths of the endpoints. */
export type OAuth2Endpoints = {
  wellKnownDocument: string;
  authorize: string;
  token: string;
  jwks: string;
  userinfo: string;
  introspect: string;
  revoke: string;
  endSession: string;
};

type RedirectEvent = "beforeAuthorizeRedirect" | "beforePostLogoutRedirect";
type ResponseEvent = Exclude<keyof ServiceEvents, RedirectEvent | "beforeTokenSigning">;
type Draft = ResponseDraft | undefined;

/** Calls listeners, as the emitter of Node does. */
export class Emitter<All extends Record<string, unknown[]>> {
  readonly #listeners = new Map<keyof All, unknown[]>();

  /** Calls a listener for every event of a name. */
  on<Name extends keyof All>(event: Name, listener: (...values: All[Name]) => void): this {
    this.#listeners.set(event, [...this.listeners(event), listener]);
    return this;
  }

  /** Calls a listener for the next event of a name. */
  once<Name extends keyof All>(event: Name, listener: (...values: All[Name]) => void): this {
    const next = (...values: All[Name]) => {
      this.removeListener(event, next);
      listener(...values);
    };
    return this.on(event, next);
  }

  /** Removes a listener. */
  removeListener(event: keyof All, listener: unknown): this {
    this.#listeners.set(event, this.listeners(event).filter((each) => each !== listener));
    return this;
  }

  /** Removes a listener. */
  readonly off: this["removeListener"] = this.removeListener;

  /** Removes the listeners of a name, or all. */
  removeAllListeners(event?: keyof All): this {
    if (event === undefined) this.#listeners.clear();
    else this.#listeners.delete(event);
    return this;
  }

  /** Returns the listeners of a name. */
  listeners<Name extends keyof All>(event: Name): Array<(...values: All[Name]) => void> {
    return this.#listeners.get(event) as Array<(...values: All[Name]) => void> ?? [];
  }

  /** Calls the listeners of a name. */
  emit<Name extends keyof All>(event: Name, ...values: All[Name]): void {
    for (const listener of this.listeners(event)) listener(...values);
  }
}

/** The keys of an issuer. */
export class JWKStore {
  #keys: StoredJwk[] = [];
  #next = 0;

  /** Makes a key and adds it. */
  async generate(alg: string, options: { kid?: string } = {}): Promise<StoredJwk> {
    const { privateKey } = await generateKeyPair(alg, { extractable: true });
    return await this.add({ ...await exportJWK(privateKey), ...options, alg });
  }

  /** Adds a private key. It replaces one with the same `kid`. */
  async add({ kid = crypto.randomUUID(), alg, ...members }: Json): Promise<StoredJwk> {
    if (typeof alg !== "string") throw new Error('Unspecified JWK "alg" property');
    if (members.d === undefined) throw new Error("No private key has been found");
    const key: StoredJwk = { ...members, kid: String(kid), alg };
    await importJWK(key, alg);
    this.#keys = [...this.#keys.filter((each) => each.kid !== key.kid), key];
    this.#next = 0;
    return key;
  }

  /** Returns the key with a `kid`; without one, the keys take turns. */
  get(kid?: string): StoredJwk | undefined {
    if (kid !== undefined) return this.#keys.find((key) => key.kid === kid);
    return this.#keys[this.#next++ % Math.max(1, this.#keys.length)];
  }

  /** Returns copies of all keys; of their public members, unless the private ones are wanted. */
  toJSON(includePrivateFields = false): StoredJwk[] {
    const isShown = (name: string) => includePrivateFields || !/^([dpq]|d[pq]|qi)$/.test(name);
    return this.#keys.map((key) =>
      Object.fromEntries(Object.entries(key).filter(([name]) => isShown(name))) as StoredJwk
    );
  }
}

/** An issuer: its URL, its keys and its tokens. */
export class OAuth2Issuer extends Emitter<{ beforeSigning: [MutableToken] }> {
  /** The keys. */
  readonly keys: JWKStore = new JWKStore();
  /** The issuer URL; undefined until it is set, or until the server listens. */
  url: string | undefined;
  /** Returns the time of tokens, in milliseconds. */
  now: () => number = Date.now;

  /** Signs a token. `change` has the last word. */
  async buildToken(
    { kid, scopesOrTransform: wanted, expiresIn = 3600 }: TokenBuildOptions = {},
    change: (token: MutableToken) => void = () => {},
  ): Promise<string> {
    const key = this.keys.get(kid);
    if (!key) throw new Error("Cannot build token: Unknown key.");
    if (this.url === undefined) throw new Error("Unknown issuer url");
    const iat = Math.floor(this.now() / 1000);
    const payload = { iss: this.url, iat, exp: iat + expiresIn, nbf: iat - 10 };
    const token: MutableToken = { header: { kid: key.kid }, payload };
    if (typeof wanted === "function") wanted(token.header, token.payload);
    else if (wanted !== undefined) token.payload.scope = [wanted].flat().join(" ");
    this.emit("beforeSigning", token);
    change(token);
    return await new SignJWT(token.payload)
      .setProtectedHeader({ typ: "JWT", ...token.header, alg: key.alg })
      .sign(await importJWK(key, key.alg));
  }
}

/** A server with an issuer and a lab behind it. It is its own service. */
export class OAuth2Server extends Emitter<ServiceEvents> {
  readonly #paths: OAuth2Endpoints;
  readonly #routes: NonNullable<HallpassOptions["routes"]>[number][] = [];
  /** The parameters of authorization requests, by the codes that they led to. */
  readonly #requests = new Map<unknown, Json<string>>();
  #lab: TestLab | undefined;
  #isStarted = false;

  /** The issuer. */
  readonly issuer: OAuth2Issuer = new OAuth2Issuer();
  /** What emits the events, and has the routes of the test: the server itself. */
  readonly service: this = this;

  /** Creates a server that does not listen yet. */
  constructor(key?: string, cert?: string, { endpoints }: OAuth2Options = {}) {
    super();
    if (key ?? cert) throw new LabError("No files are read: use 'hallpass({ tls: true })'.");
    this.#paths = { ...defaultPaths, ...endpoints };
    const { wellKnownDocument } = this.#paths;
    if (wellKnownDocument === wellKnownPath) return;
    this.addRoute("GET", wellKnownDocument, async (_request, response) => {
      const metadata = await this.lab.fetch(this.lab.issuer + wellKnownPath);
      response.statusCode = metadata.status;
      response.setHeader("Content-Type", "application/json");
      response.end(await metadata.text());
    });
  }

  /** Adds a route of the test. The server has it from the next start on. */
  addRoute(method: "GET" | "POST" | "PUT" | "DELETE", path: string, handle: MockHandler): void {
    const handler = async (_ctx: unknown, request: Request) => {
      const headers = Object.fromEntries(request.headers);
      const form = await request.text();
      const isJson = form.startsWith("{");
      const body = isJson ? JSON.parse(form) : Object.fromEntries(new URLSearchParams(form));
      const sent = new Headers();
      let text: string | undefined;
      const response: ServerResponse = {
        statusCode: 200,
        setHeader: (name, value) => sent.set(name, value),
        end: (body) => void (text = body),
      };
      await handle({ method, path, url: path, headers, parameters: body, body }, response);
      return new Response(text, { status: response.statusCode, headers: sent });
    };
    this.#routes.push({ method, path, kind: "api", handler });
  }

  /** Whether the server listens. */
  get listening(): boolean {
    return this.#lab !== undefined;
  }

  /** The lab behind it: clock, faults, flows, but no report. Throws unless the server listens. */
  get lab(): TestLab {
    if (this.#lab) return this.#lab;
    throw new LabError("Server is not started.");
  }

  /** Returns the address that the server listens on. */
  address(): { address: string; family: string; port: number } {
    return { address: "127.0.0.1", family: "IPv4", port: Number(new URL(this.lab.issuer).port) };
  }

  /** Listens on a port of this machine, and sets the issuer URL unless the test set one. */
  async start(port = 0, host = "localhost"): Promise<void> {
    if (this.#isStarted) throw new LabError("Server has already been started.");
    const isOwn = /^(localhost|127\.0\.0\.1|::1)$/.test(host);
    if (!isOwn) throw new LabError(`Cannot listen on ${host}: use 'hallpass lab --expose' for it.`);
    const { endSession, wellKnownDocument: _, ...others } = this.#paths;
    const paths = { ...others, logout: endSession };
    // Each is of a feature, which a project may have deleted: a literal would name it.
    const leniencies = { anyClient: true, anyScope: true, unknownClientPkce: "optional" } as const;
    this.#isStarted = true;
    const lab = await hallpass({
      listen: port,
      paths,
      routes: this.#routes,
      users: [{ name: mockUser, sub: mockUser }],
      signIn: mockUser,
      clients: [],
      ...leniencies,
      insecure: { httpRedirectUris: true },
      // The report over HTTP would be as wrong as the one in process.
      controlApart: true,
    }).catch((cause) => {
      this.#isStarted = false;
      throw cause;
    });
    this.#prepare(lab);
    this.issuer.url ??= lab.issuer;
    this.issuer.now = lab.clock.now;
    const { restore }: { reset: unknown; restore?(id: string): Promise<void> } = lab;
    const withoutReport = { report: refuseReport, assertClean: refuseReport };
    this.#lab = {
      ...lab,
      reset: () => lab.reset().then(() => this.#prepare(lab)),
      ...restore && { restore: (id: string) => restore(id).then(() => this.#prepare(lab)) },
      ...withoutReport,
    };
  }

  /** Stops listening, and closes the lab. */
  async stop(): Promise<void> {
    await this.lab.close();
    this.#lab = undefined;
    this.#isStarted = false;
    this.issuer.url = undefined;
  }

  /** Lets the service respond in place of the lab, whose faults sign with the keys of the test. */
  #prepare(lab: TestLab): void {
    lab.on("response", (own, sent) => this.#respond(own, sent), { mayStayIdle: true });
    const keys = this.issuer.keys.toJSON(true).filter(({ alg }) => /^([RPE]S256|EdDSA)$/.test(alg));
    if (keys.length > 0) lab.configure({ signingKeys: keys.map((jwk) => ({ jwk })) });
  }

  /** Returns what an endpoint responds; undefined leaves the response to the lab. */
  async #respond(own: ResponseDraft, sent: HookRequest): Promise<ResponseDraft | undefined> {
    const { jwks, authorize, token, userinfo, introspect, revoke, endSession } = this.#paths;
    const keys = this.issuer.keys.toJSON();
    const request = { ...sent, url: sent.path, body: sent.parameters };
    const send = (event: ResponseEvent, body: Json | "" | undefined) => {
      if (body === undefined) return undefined;
      const draft: MutableResponse = { statusCode: 200, body };
      this.emit(event, draft, request);
      const headers = { "Content-Type": "application/json", ...uncached };
      return { status: draft.statusCode, headers, body: draft.body && JSON.stringify(draft.body) };
    };
    const endpoints: Record<string, () => Draft | Promise<Draft>> = {
      [`GET ${authorize}`]: () => this.#authorize(request, own),
      [`POST ${token}`]: async () => send("beforeResponse", await this.#issueTokens(request, own)),
      [`GET ${jwks}`]: () => ({ ...own, body: JSON.stringify({ keys }) }),
      [`GET ${userinfo}`]: () => send("beforeUserinfo", { sub: mockUser }),
      [`POST ${introspect}`]: () => send("beforeIntrospect", { active: true }),
      [`POST ${revoke}`]: () => send("beforeRevoke", ""),
      [`GET ${endSession}`]: () => this.#redirect("beforePostLogoutRedirect", request),
      [`GET ${wellKnownPath}`]: () =>
        send("beforeWellKnownOpenIdConfiguration", this.#metadata(own)),
    };
    return await endpoints[`${sent.method} ${sent.path}`]?.();
  }

  /** The metadata of the lab, with the issuer URL of the test. Its redirects have no `iss`. */
  #metadata({ body }: ResponseDraft): Json {
    const url = this.issuer.url ?? this.lab.issuer;
    const metadata = JSON.parse(body.replaceAll(this.lab.issuer, url.replace(/\/$/, "")));
    return { ...metadata, issuer: url, authorization_response_iss_parameter_supported: false };
  }

  #authorize(request: TokenRequestIncomingMessage, { headers }: ResponseDraft) {
    // The code of the lab connects the steps of a flow.
    const codeOfLab = new URL(headers.Location ?? "", this.lab.issuer).searchParams.get("code");
    const code = codeOfLab ?? crypto.randomUUID();
    this.#requests.set(code, request.parameters);
    const { response_type: type } = request.parameters;
    const result = type === "code" ? { code } : { error: "unsupported_response_type" };
    return this.#redirect("beforeAuthorizeRedirect", request, result);
  }

  /** Redirects to the URL of a request; undefined without one, which the lab refuses. */
  #redirect(event: RedirectEvent, request: TokenRequestIncomingMessage, result: object = {}) {
    const { redirect_uri, post_logout_redirect_uri, state } = request.body;
    const target = post_logout_redirect_uri ?? redirect_uri ?? "";
    if (!URL.canParse(target)) return undefined;
    const url = new URL(target);
    const added = defined({ ...result, state });
    for (const [name, value] of Object.entries(added)) url.searchParams.set(name, String(value));
    this.emit(event, { url }, request);
    return { status: 302, headers: { Location: url.href }, body: "" };
  }

  /** Issues tokens for any client and credential; undefined for what the lab refuses as well. */
  async #issueTokens(request: TokenRequestIncomingMessage, own: ResponseDraft) {
    const { code, code_verifier: verifier } = request.parameters;
    const asked = this.#requests.get(code) ?? {};
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
    const isHashed = asked.code_challenge_method === "S256";
    const challenge = isHashed ? base64url.encode(new Uint8Array(hash)) : verifier;
    const claims = grants.get(request.parameters.grant_type)?.(request.parameters);
    if (!claims || (verifier !== undefined && challenge !== asked.code_challenge)) return undefined;
    const sign = (members: Json) =>
      this.issuer.buildToken({
        scopesOrTransform: (_header, payload) => void Object.assign(payload, defined(members)),
      }, (token) => this.emit("beforeTokenSigning", token, request));
    const access_token = await sign(claims);
    const tokens = { access_token, token_type: "Bearer", expires_in: 3600, scope: claims.scope };
    if (!claims.amr) return defined(tokens);
    this.#requests.delete(code);
    const id_token = await sign({ sub: mockUser, aud: request.client, nonce: asked.nonce });
    const refresh_token = /"refresh_token":"([^"]+)"/.exec(own.body)?.[1] ?? crypto.randomUUID();
    return defined({ ...tokens, id_token, refresh_token });
  }
}

/** The claims and the scope that a grant leads to; of a user, with `amr`. */
const grants = new Map<unknown, (form: Json<string>) => Json>([
  ["authorization_code", ({ scope = "dummy" }) => ({ sub: mockUser, amr: ["pwd"], scope })],
  ["refresh_token", ({ scope = "dummy" }) => ({ sub: mockUser, amr: ["pwd"], scope })],
  ["password", ({ username, scope }) => ({ sub: username, amr: ["pwd"], scope })],
  ["client_credentials", ({ aud, scope }) => ({ aud, scope })],
  ["urn:ietf:params:oauth:grant-type:jwt-bearer", ({ assertion = "", scope }) => {
    const { sub } = decodeJwt(assertion);
    return { sub, client_id: sub, scope };
  }],
]);

/** Leaves out members without a value: listeners look for names. */
function defined(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function refuseReport(): never {
  throw new LabError(
    "There is no report: what this server sends counts as changed by the test, so a report would " +
      "miss the client's mistakes. 'hallpass()' of hallpass/testing has one.",
  );
}
