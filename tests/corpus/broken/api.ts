// An API by hand, which makes every check that it must. A bug replaces one of its steps.
import {
  calculateJwkThumbprint,
  compactVerify,
  decodeProtectedHeader,
  importJWK,
  type JWK,
  jwtVerify,
} from "jose";
import { type Json, readClaims, sha256 } from "./site.ts";

/** How the API is built. Each of these is correct. */
export interface ApiConfiguration {
  /** Whether it takes tokens that are bound by DPoP, and bearer tokens that are not. */
  dpop?: boolean;
  /** Whether it asks the server about each token. */
  introspects?: boolean;
}

export interface ApiSettings {
  issuer: string;
  url: string;
  fetch(request: Request): Promise<Response>;
  now(): number;
  configuration: Required<ApiConfiguration>;
}

export const usualApi: Required<ApiConfiguration> = { dpop: true, introspects: false };

export const requiredScope = ["orders:read", "orders:list"];

/** A token as it came. */
export interface PresentedToken {
  scheme: "bearer" | "dpop";
  token: string;
}

/** Why a request is refused. */
export class Refusal extends Error {
  constructor(readonly code: string | undefined, readonly status = 401) {
    super(code);
  }
}

export class Api {
  readonly keys = new Map<string, JWK>();
  readonly proofs = new Set<string>();
  readonly metadataUrl: string;
  /** The user whose orders it has. */
  readonly owner = "alice";

  constructor(readonly settings: ApiSettings) {
    const { origin, pathname } = new URL(settings.url);
    this.metadataUrl = `${origin}/.well-known/oauth-protected-resource${pathname}`;
  }

  async respond(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (url.href === this.metadataUrl) return Response.json(this.metadata());
    try {
      const claims = await this.authorize(request);
      this.checkOwner(claims);
      return Response.json({ orders: [`first of ${claims.sub}`] });
    } catch (cause) {
      return this.refuse(cause);
    }
  }

  metadata(): Json {
    return {
      resource: this.settings.url,
      authorization_servers: [this.settings.issuer],
      scopes_supported: requiredScope,
      tls_client_certificate_bound_access_tokens: true,
    };
  }

  refuse(cause: unknown): Response {
    const { code, status } = cause instanceof Refusal ? cause : new Refusal("invalid_token");
    const headers = this.challengeHeaders(code, status);
    return Response.json({ error: code ?? "unauthorized" }, { status, headers });
  }

  challengeHeaders(code: string | undefined, _status: number): Record<string, string> {
    const error = code === undefined ? "" : ` error="${code}",`;
    const scope = code === "insufficient_scope" ? ` scope="${requiredScope.join(" ")}",` : "";
    const bearer = `Bearer${error}${scope} resource_metadata="${this.metadataUrl}"`;
    return { "WWW-Authenticate": `${bearer}${this.settings.configuration.dpop ? dpopPart : ""}` };
  }

  async authorize(request: Request): Promise<Json> {
    const presented = await this.readToken(request);
    const claims = await this.readClaims(presented.token);
    await this.checkPossession(request, presented, claims);
    this.checkScope(claims);
    return claims;
  }

  async readToken(request: Request): Promise<PresentedToken> {
    const header = request.headers.get("Authorization");
    if (header === null) throw new Refusal(undefined);
    const [, scheme = "", token = ""] = this.parseHeader(header) ?? [];
    if (token === "") throw new Refusal("invalid_request", 400);
    await this.checkBody(request);
    return { scheme: scheme.toLowerCase() === "dpop" ? "dpop" : "bearer", token };
  }

  parseHeader(header: string): RegExpExecArray | null {
    return /^(bearer|dpop) ([\w.~+/-]+=*)$/i.exec(header);
  }

  /** A token comes in one way (RFC 6750, section 2). */
  async checkBody(request: Request): Promise<void> {
    if (request.method !== "POST") return;
    const fields = new URLSearchParams(await request.clone().text());
    if (fields.has("access_token")) throw new Refusal("invalid_request", 400);
  }

  readClaims(token: string): Promise<Json> {
    return this.settings.configuration.introspects ? this.introspect(token) : this.readJwt(token);
  }

  async introspect(token: string): Promise<Json> {
    const claims = await this.askServer(token);
    if (claims.active !== true) throw new Refusal("invalid_token");
    this.checkExp(claims);
    this.checkAud(claims);
    return claims;
  }

  async askServer(token: string): Promise<Json> {
    const response = await this.fetch(`${this.settings.issuer}/oauth2/introspect`, {
      method: "POST",
      headers: { Authorization: `Basic ${btoa("demo-service:demo-service-secret")}` },
      body: new URLSearchParams({ token }),
    });
    return await response.json();
  }

  async readJwt(token: string): Promise<Json> {
    if (token.split(".").length !== 3) throw new Refusal("invalid_token");
    const header = decodeProtectedHeader(token) as Json;
    this.checkType(header);
    await this.verifySignature(token, header);
    const claims = this.parseClaims(token);
    this.checkClaims(claims);
    return claims;
  }

  parseClaims(token: string): Json {
    return readClaims(token);
  }

  checkType({ typ = "" }: Json): void {
    if (!/^(application\/)?at\+jwt$/i.test(typ)) throw new Refusal("invalid_token");
  }

  async verifySignature(token: string, header: Json): Promise<void> {
    const key = await this.findKey(header);
    if (key === undefined) throw new Refusal("invalid_token");
    const alg = key.kty === "RSA" ? "RS256" : "EdDSA";
    await compactVerify(token, await importJWK(key, alg), { algorithms: [alg] });
  }

  findKey({ kid = "" }: Json): Promise<JWK | undefined> {
    return this.publishedKey(String(kid));
  }

  async publishedKey(kid: string): Promise<JWK | undefined> {
    if (!this.keys.has(kid)) await this.fetchKeys();
    return this.keys.get(kid);
  }

  async fetchKeys(): Promise<void> {
    const { keys } = await (await this.fetch(`${this.settings.issuer}/oauth2/jwks`)).json();
    for (const key of keys) this.keys.set(key.kid, key);
  }

  checkClaims(claims: Json): void {
    this.checkExp(claims);
    this.checkNbf(claims);
    this.checkIss(claims);
    this.checkAud(claims);
  }

  seconds(): number {
    return this.settings.now() / 1000;
  }

  checkExp({ exp }: Json): void {
    if (!(exp > this.seconds())) throw new Refusal("invalid_token");
  }

  checkNbf({ nbf = 0 }: Json): void {
    if (nbf > this.seconds() + 5) throw new Refusal("invalid_token");
  }

  checkIss({ iss }: Json): void {
    if (iss !== this.settings.issuer) throw new Refusal("invalid_token");
  }

  checkAud({ aud }: Json): void {
    if (![aud].flat().includes(this.settings.url)) throw new Refusal("invalid_token");
  }

  checkScope({ scope = "" }: Json): void {
    const granted = String(scope).split(" ");
    if (requiredScope.every((each) => granted.includes(each))) return;
    throw new Refusal("insufficient_scope", 403);
  }

  checkOwner({ sub }: Json): void {
    if (sub !== this.owner) throw new Refusal("access_denied", 403);
  }

  async checkPossession(
    request: Request,
    { scheme, token }: PresentedToken,
    { cnf = {} }: Json,
  ): Promise<void> {
    this.checkCertificate(cnf);
    const { jkt } = cnf;
    if (jkt === undefined && scheme === "bearer") return;
    this.checkScheme(scheme, jkt);
    if (scheme === "bearer") return;
    const proof = request.headers.get("DPoP");
    if (proof === null) return this.noProof();
    await this.checkProof(request, { proof, token, jkt });
  }

  /** No client has a certificate here, so such a token was stolen. */
  checkCertificate(cnf: Json): void {
    if ("x5t#S256" in cnf) throw new Refusal("invalid_token");
  }

  checkScheme(scheme: PresentedToken["scheme"], jkt: string | undefined): void {
    if (jkt === undefined || scheme === "bearer") throw new Refusal("invalid_token");
  }

  noProof(): void {
    throw new Refusal("invalid_dpop_proof");
  }

  async checkProof(
    request: Request,
    { proof, token, jkt }: { proof: string; token: string; jkt: string },
  ): Promise<void> {
    const { jwk = {} } = decodeProtectedHeader(proof);
    const key = await importJWK(jwk as JWK, "ES256");
    const { payload } = await jwtVerify(proof, key, {
      typ: "dpop+jwt",
      currentDate: new Date(this.settings.now()),
    });
    this.checkProofKey(await calculateJwkThumbprint(jwk as JWK), jkt);
    this.checkProofMethod(payload, request);
    this.checkProofUrl(payload);
    this.checkProofAge(payload);
    this.checkProofToken(payload, await sha256(token));
    this.checkProofIsNew(payload);
  }

  checkProofKey(used: string, bound: string): void {
    if (used !== bound) throw new Refusal("invalid_dpop_proof");
  }

  checkProofMethod({ htm }: Json, { method }: Request): void {
    if (htm !== method) throw new Refusal("invalid_dpop_proof");
  }

  checkProofUrl({ htu }: Json): void {
    if (htu !== this.settings.url) throw new Refusal("invalid_dpop_proof");
  }

  checkProofAge({ iat }: Json): void {
    if (!(Math.abs(this.seconds() - iat) < 60)) throw new Refusal("invalid_dpop_proof");
  }

  checkProofToken({ ath }: Json, hash: string): void {
    if (ath !== hash) throw new Refusal("invalid_dpop_proof");
  }

  checkProofIsNew({ jti }: Json): void {
    if (this.proofs.has(jti)) throw new Refusal("invalid_dpop_proof");
    this.proofs.add(jti);
  }

  fetch(url: string, init: RequestInit = {}): Promise<Response> {
    return this.settings.fetch(new Request(url, init));
  }
}

const dpopPart = `, DPoP algs="ES256"`;
