import {
  calculateJwkThumbprint,
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  importJWK,
  importX509,
  type JWK,
  jwtVerify,
} from "jose";
import { createHash } from "node:crypto";
import { toPem } from "../../../../src/lab/features/api_drill/attacker.ts";
import type { Lab } from "../../../../src/lab/lab.ts";
import { attackerRsaKey } from "../../../../src/lab/tokens/attacker_key.ts";
import { parseJson } from "../../../../src/server/util/text/json.ts";
import { service } from "../../../support/flow_kit.ts";
import { type ReadResponse, testClient } from "../../../support/test_client.ts";
import type { Weakness } from "./planted_weaknesses.ts";

/** Where the API is, which is also its audience. */
export const apiUrl = "https://api.test/orders";

const metadataUrl = "https://api.test/.well-known/oauth-protected-resource/orders";

const metadata = { resource: apiUrl };

export const apiScope = "orders:read orders:list";

/** Why a key cannot be found. */
class Unkeyed extends Error {}

/** Why an API refuses a token. */
class Refusal extends Error {
  constructor(readonly code: string, readonly status = 401) {
    super(code);
  }
}

interface PlantedApi {
  lab: Lab;
  keys: Map<string, JWK>;
  proofs: Set<string>;
  /** The one that it takes: that of its last response. */
  nonce: string;
  introspected: Map<string, Claims>;
  /** What it has accepted, by what it takes for the token. */
  seen: Map<string, Claims>;
  weak(weakness: Weakness): boolean;
}

/** Creates an API that checks everything by hand, but for its weaknesses. */
export function createPlantedApi(lab: Lab, ...weaknesses: readonly Weakness[]) {
  const weak = (weakness: Weakness) => weaknesses.includes(weakness);
  const api: PlantedApi = {
    lab,
    keys: new Map(),
    proofs: new Set(),
    nonce: "",
    introspected: new Map(),
    seen: new Map(),
    weak,
  };
  return async (request: Request): Promise<Response> => {
    if (request.url === metadataUrl) {
      const tls_client_certificate_bound_access_tokens = !weak("no_certificates");
      return Response.json({ ...metadata, tls_client_certificate_bound_access_tokens });
    }
    try {
      if (!isLetThrough(api, request)) await authorize(api, request);
      const headers = { ...headersOf(api, request), ...nextNonce(api) };
      return Response.json({ orders: [] }, { headers });
    } catch (cause) {
      if (cause instanceof SyntaxError && weak("no_json")) {
        return new Response(null, { status: 500 });
      }
      const refusal = cause instanceof Refusal ? cause : new Refusal("invalid_token");
      const { code } = refusal;
      const isForbidden = weak("forbidden") && refusal.status === 401;
      const isFailed = weak("always_500") && refusal.status === 401;
      const status = isForbidden ? 403 : isFailed ? 500 : refusal.status;
      const token = request.headers.get("Authorization");
      const body = weak("refused_body")
        ? 'no {"orders":[]}'
        : weak("token_in_error")
        ? `Invalid: ${token}`
        : traceOf(api);
      return new Response(body, {
        status,
        headers: { ...challengeOf(api, code), ...nextNonce(api) },
      });
    }
  };
}

/** Whether a request looks as if it needs no token, to an API that trusts it in this. */
function isLetThrough({ weak }: PlantedApi, { headers, url }: Request): boolean {
  if (headers.has("Authorization")) return false;
  const { pathname, search } = new URL(url);
  const looks: Array<[Weakness, boolean]> = [
    ["user_header", headers.get("X-Forwarded-User") === "alice"],
    ["local_address", headers.get("X-Forwarded-For") === "127.0.0.1"],
    ["health_probe", /kube-probe/.test(headers.get("User-Agent") ?? "")],
    ["original_path", headers.get("X-Original-URL") === "/health"],
    ["preflight", headers.has("Access-Control-Request-Method")],
    ["path_end", pathname === "/orders/"],
    ["path_case", pathname === "/ORDERS"],
    ["path_suffix", pathname === "/orders.json"],
    ["public_query", search.includes("/health")],
  ];
  return looks.some(([weakness, each]) => each && weak(weakness));
}

/** What other sites, caches and logs get of a response. */
function headersOf({ weak }: PlantedApi, { headers }: Request): Record<string, string> {
  const origin = headers.get("Origin") ?? "";
  const isAllowed = weak("any_origin") || (weak("origin_suffix") && origin.includes("://api.test"));
  const token = headers.get("Authorization")?.split(" ")[1] ?? "";
  return {
    ...isAllowed && {
      "Access-Control-Allow-Origin": origin,
      "Access-Control-Allow-Credentials": "true",
    },
    ...weak("cacheable") && { "Cache-Control": "public, max-age=60" },
    ...weak("shared_cache") && { "Cache-Control": "s-maxage=60" },
    ...weak("token_in_header") && { "X-Token": token },
  };
}

function nextNonce(api: PlantedApi): Record<string, string> {
  api.nonce = crypto.randomUUID();
  return { "DPoP-Nonce": api.nonce };
}

function traceOf({ weak }: PlantedApi): string | null {
  const trace = `Error: no\n    at check (/srv/api.js:12:7)`;
  if (weak("stack_trace")) return trace;
  if (weak("stack_trace_json")) return JSON.stringify({ error: trace });
  if (!weak("stack_trace_html")) return null;
  return `<pre>${trace.replaceAll("\n", "<br>").replaceAll("  ", " &nbsp;")}</pre>`;
}

function challengeOf({ weak }: PlantedApi, code: string): Record<string, string> {
  const metadata = weak("no_metadata") ? "" : `, resource_metadata="${metadataUrl}"`;
  const dpop = weak("dpop_undeclared") ? "" : ', DPoP algs="ES256"';
  const challenge = `Bearer error="${code}"${metadata}${dpop}`;
  const named = { "WWW-Authenticate": challenge };
  if (code === "insufficient_scope") return weak("scope_403") ? {} : named;
  if (weak("no_challenge")) return {};
  return weak("wrong_challenge") ? { "WWW-Authenticate": "Bearer error=invalid token" } : named;
}

async function authorize(api: PlantedApi, request: Request): Promise<void> {
  const { weak } = api;
  const presented = await readPresented(api, request);
  if (presented === undefined) {
    if (weak("no_token")) return;
    throw new Refusal("invalid_token");
  }
  const { scheme, token } = presented;
  if (weak("large_token_431") && token.length > 60_000) throw new Refusal("too_large", 431);
  if (weak("large_token") && token.length > 60_000) throw new Refusal("server_error", 500);
  const claims = token.includes(".") ? await readJwt(api, token) : await readOpaque(api, token);
  if (claims === undefined) return;
  const second = weak("claims_of_header")
    ? request.headers.get("X-Access-Token")
    : weak("claims_of_query") && new URL(request.url).searchParams.get("access_token");
  if (second) Object.assign(claims, decodeJwt(second));
  checkClaims(api, claims, token);
  await checkPossession(api, request, { scheme, token, claims });
  checkScope(api, claims);
  const isOfClient = weak("client_token") && claims.sub === claims.client_id;
  const isNamed = weak("named_user") && new URL(request.url).searchParams.get("user") === "alice";
  if (isUser(api, String(claims.sub)) || isOfClient || isNamed || weak("other_user")) return;
  throw new Refusal("access_denied", 403);
}

function isUser({ weak }: PlantedApi, sub: string): boolean {
  return sub === "alice" || (weak("user_prefix") && sub.startsWith("alice")) ||
    (weak("user_part") && "alice".startsWith(sub)) ||
    (weak("user_case") && sub.toLowerCase() === "alice");
}

async function readPresented({ weak }: PlantedApi, request: Request) {
  const header = request.headers.get("Authorization");
  const query = new URL(request.url).searchParams.get("access_token");
  const scheme = request.headers.has("DPoP") ? "DPoP" : "Bearer";
  const [, cookie] = /(?:^|; )access_token=([^;]+)/.exec(request.headers.get("Cookie") ?? "") ?? [];
  if (header === null && cookie !== undefined && weak("cookie_token")) {
    return { scheme, token: cookie };
  }
  const other = new URL(request.url).searchParams.get("token");
  if (header === null && other !== null && weak("query_of_other_name")) {
    return { scheme, token: other };
  }
  if (header === null && query !== null && weak("query")) return { scheme, token: query };
  if (weak("two_places") && request.method === "POST") {
    const token = new URLSearchParams(await request.text()).get("access_token");
    if (token !== null) return { scheme, token };
  }
  if (header === null) return undefined;
  if (weak("basic_password") && header.startsWith("Basic ")) {
    const [, password = ""] = atob(header.slice(6)).split(":");
    return { scheme, token: password };
  }
  const form = weak("header_form") ? /^(\w+) ([^ ,]+)/ : /^(Bearer|DPoP) ([\w.~+/-]+=*)$/i;
  const [, named = "", token] = form.exec(header) ?? [];
  if (token === undefined) throw new Refusal("invalid_request", 400);
  if (weak("scheme_case") && /^[a-z]/.test(named)) throw new Refusal("invalid_request", 400);
  return { scheme: named.toLowerCase() === "dpop" ? "DPoP" : "Bearer", token };
}

type Claims = Record<string, unknown>;

/** An API whose cache, or whose rows, are not those of the server any more. */
async function readOpaque(api: PlantedApi, token: string): Promise<Claims | undefined> {
  const { lab, weak, introspected } = api;
  const beginning = token.slice(0, 16);
  const alike = weak("seen_beginning") ? api.seen.get(beginning) : undefined;
  if (alike && alike.token !== token) return alike;
  const keeps = weak("introspected_once") || weak("introspected_for_good");
  const known = keeps ? introspected.get(token) : undefined;
  if (known) return known;
  if (weak("unknown_token") && token.startsWith("unknown-")) return undefined;
  if (weak("revoked_opaque")) {
    const row = await lab.context.records.opaqueTokens.find(token);
    if (row) return { ...row.claims };
  }
  const asked = await testClient().introspect(lab, token, {}, service).catch(() => undefined);
  if (isLenient(api, asked)) return undefined;
  if (weak("refresh_token") && await lab.context.records.refreshTokens.get(token)) return undefined;
  const claims = activeIn(api, parseJson(asked?.text ?? ""));
  introspected.set(token, claims);
  api.seen.set(beginning, { ...claims, token });
  return claims;
}

/** Whether an API lets a caller in because introspection failed. */
function isLenient({ weak }: PlantedApi, asked?: ReadResponse): boolean {
  if (!asked) return weak("introspection_error");
  if (weak("introspection_500") && asked.status >= 500) return true;
  return weak("introspection_text") && asked.text.startsWith("<");
}

/** Returns what introspection says of a token, if that is active. */
function activeIn({ weak }: PlantedApi, body: unknown): Claims {
  const claims = (weak("active_list") ? [body].flat()[0] : body) as Claims | undefined;
  const { active } = claims ?? {};
  const isActive = active === true || (weak("active_text") && active === "false") ||
    (weak("introspection_without_active") && active === undefined);
  if (!isActive || !claims) throw new Refusal("invalid_token");
  return claims;
}

async function readJwt(api: PlantedApi, token: string): Promise<Claims> {
  const { weak } = api;
  const parts = weak("four_parts") ? token.split(".").slice(0, 3) : token.split(".");
  const [head = "", body = ""] = parts;
  if (parts.length !== 3) throw new Refusal("invalid_token");
  const header = JSON.parse(atob(head.replaceAll("-", "+").replaceAll("_", "/")));
  const types = ["at+jwt", ...weak("typ_text") ? [] : ["application/at+jwt"]];
  const others = weak("typ_jwt") || weak("id_token") ? ["JWT"] : [];
  if (weak("logout_token")) others.push("logout+jwt");
  const isOther = weak("wrong_type") && header.typ !== "JWT";
  const isTyped = isOther || [...types, ...others].includes(header.typ);
  if (!isTyped) throw new Refusal("invalid_token");
  const text = new TextDecoder().decode(
    Uint8Array.from(
      atob(body.replaceAll("-", "+").replaceAll("_", "/")),
      (each) => each.charCodeAt(0),
    ),
  );
  const claims = JSON.parse(text);
  const known = weak("seen_jti") ? String(claims.jti) : weak("seen_claims") ? body : "";
  if (api.seen.has(known)) return claims;
  await verify(api, parts.join("."), header, claims).catch((cause) => {
    // It goes on without the keys.
    if (!(cause instanceof Unkeyed)) throw cause;
  });
  if (known) api.seen.set(known, claims);
  const [, first] = weak("duplicate_exp") ? /"exp":(\d+)/.exec(text) ?? [] : [];
  return first === undefined ? claims : { ...claims, exp: Number(first) };
}

async function verify(
  api: PlantedApi,
  token: string,
  header: Claims,
  { iss, exp }: Claims,
): Promise<void> {
  const { weak, lab } = api;
  const { alg, kid } = header;
  if (weak("alg_none") && alg === "none") return;
  if (weak("alg_None") && alg === "None") return;
  if (weak("alg_nOnE") && alg === "nOnE") return;
  if (weak("unknown_alg") && alg === "XX256") return;
  if (weak("empty_alg") && alg === "") return;
  if (weak("zero_signature") && /^A+$/.test(token.split(".")[2] ?? "")) return;
  const follows = weak("issuer_keys") || weak("issuer_visited") ||
    (weak("issuer_keys_by_beginning") && String(iss).startsWith(lab.issuer));
  if (follows && iss !== lab.issuer) {
    const keys = await keysOfIssuer(api, String(iss));
    if (!keys || weak("issuer_visited")) throw new Refusal("invalid_token");
    return void await compactVerify(token, await importJWK({ alg: String(alg), ...keys[0] }));
  }
  if (header.crit !== undefined && !weak("unknown_crit")) throw new Refusal("invalid_token");
  if (weak("kid_length") && String(kid).length > 255) throw new Refusal("server_error", 500);
  if (weak("kid_query") && String(kid).includes("' OR '")) return;
  if (weak("kid_url") && String(kid).startsWith("http:")) {
    await (await fetch(String(kid))).text();
  }
  if (weak("kid_path") && String(kid).endsWith("/dev/null")) {
    return void await compactVerify(token, new TextEncoder().encode("\0"));
  }
  const key = header.crit === undefined ? await keyFor(api, header) : await publishedKey(api, kid);
  if (!key && weak("empty_key") && alg === "HS256") {
    return void await compactVerify(token, new TextEncoder().encode("\0"));
  }
  if (!key && (kid === undefined ? weak("no_kid") : weak("unknown_kid"))) return;
  if (!key) throw new Refusal("invalid_token");
  if (alg === "HS256" && weak("hs256_der")) {
    const publicKey = await importJWK({ ...key, alg: "RS256" }, "RS256", { extractable: true });
    const der = await crypto.subtle.exportKey("spki", publicKey as CryptoKey);
    return void await compactVerify(token, new Uint8Array(der));
  }
  if (alg === "HS256" && weak("hs256_modulus")) {
    return void await compactVerify(token, new TextEncoder().encode(key.n ?? key.x));
  }
  if (alg === "HS256" && weak("hs256_base64")) {
    const publicKey = await importJWK({ ...key, alg: "RS256" }, "RS256", { extractable: true });
    const der = new Uint8Array(await crypto.subtle.exportKey("spki", publicKey as CryptoKey));
    return void await compactVerify(
      token,
      new TextEncoder().encode(btoa(String.fromCharCode(...der))),
    );
  }
  if (alg === "HS256" && (weak("hs256_pem") || weak("hs256_jwk"))) {
    const publicKey = await importJWK({ ...key, alg: "RS256" }, "RS256", { extractable: true });
    const pem = await toPem(publicKey as CryptoKey);
    const secret = new TextEncoder().encode(weak("hs256_pem") ? pem : JSON.stringify(key));
    return void await compactVerify(token, secret);
  }
  const algorithms = ["RS256", "EdDSA"];
  const options = { algorithms, crit: { "https://hallpass.example/unknown": true } };
  const attempt = async (jwk: JWK) =>
    await compactVerify(token, await importJWK({ alg: "RS256", ...jwk }), options);
  try {
    await attempt(key);
  } catch (cause) {
    // A key of its tests that was left in the list.
    if (weak("forged_and_expired") && Number(exp) < lab.clock.now() / 1000) return;
    if (!weak("foreign_key")) throw cause;
    const { kty, n, e } = attackerRsaKey;
    await attempt({ kty, n, e } as JWK);
  }
}

/** Asks any issuer for its keys, as its metadata says. */
async function keysOfIssuer({ lab, weak }: PlantedApi, issuer: string): Promise<JWK[] | undefined> {
  // It does not resolve names, so that the rest of a URL counts.
  const url = weak("issuer_keys_by_beginning") ? issuer.replace(/^https:.*@/, "http://") : issuer;
  const get = async (at: string) => {
    const request = new Request(at.startsWith(lab.issuer) ? at : at.replace(/[?].*/, ""));
    const response = at.startsWith(lab.issuer) ? lab.fetch(request) : fetch(request);
    return await response.then((each) => each.json()).catch(() => undefined);
  };
  const metadata = await get(`${url}/.well-known/openid-configuration`);
  return metadata && (await get(String(metadata.jwks_uri)))?.keys;
}

async function keyFor(
  api: PlantedApi,
  { kid, jwk, jku, x5u, x5c }: Claims,
): Promise<JWK | undefined> {
  const { lab, weak } = api;
  if (weak("header_x5c") && Array.isArray(x5c)) {
    const pem = `-----BEGIN CERTIFICATE-----\n${x5c[0]}\n-----END CERTIFICATE-----`;
    return await exportJWK(await importX509(pem, "RS256", { extractable: true }));
  }
  if (weak("header_jwk") && jwk) return jwk as JWK;
  const named = [weak("header_jku") && jku, weak("header_x5u") && x5u].find(Boolean);
  if (named) {
    const response = await fetch(String(named)).catch(() => undefined);
    const { keys } = await response?.json() ?? {};
    return keys?.[0];
  }
  if (weak("jku_of_lab") && String(jku).startsWith(lab.issuer)) {
    await lab.fetch(new Request(String(jku)));
  }
  return await publishedKey(api, kid);
}

async function publishedKey({ lab, keys, weak }: PlantedApi, kid: unknown) {
  const known = keys.get(String(kid));
  if (known || (keys.size > 0 && weak("new_key"))) return known;
  const response = await lab.fetch(new Request(`${lab.issuer}/oauth2/jwks`)).catch(() => undefined);
  const { keys: found } = await response?.json().catch(() => ({})) ?? {};
  if (weak("keys_error") && !found || weak("keys_empty") && found?.length === 0) {
    throw new Unkeyed();
  }
  for (const key of found ?? []) keys.set(key.kid, key);
  return keys.get(String(kid));
}

function checkClaims({ lab, weak }: PlantedApi, claims: Claims, token: string): void {
  const now = lab.clock.now() / 1000;
  const { exp, nbf, iss, aud } = claims;
  const isOpaque = !token.includes(".");
  const isEndless = exp === undefined && weak("no_expiry");
  const isKept = isOpaque && weak("introspected_for_good");
  const late = weak("leeway") ? 3000 : weak("leeway_of_20_minutes") ? 1200 : 0;
  const isForgiven = weak("forged_and_expired") && Number(exp) > now - 10;
  if (!weak("expired") && !isForgiven && !isEndless && !isKept && !(Number(exp) + late > now)) {
    throw new Refusal(weak("slow") ? "expired" : "invalid_token");
  }
  if (!weak("not_yet_valid") && Number(nbf ?? 0) > now) throw new Refusal("invalid_token");
  const isIssuer = compared(String(iss), weak, "issuer")(lab.issuer);
  const isAnyIssuer = weak("wrong_issuer") || weak("issuer_keys") ||
    (weak("issuer_keys_by_beginning") && String(iss).startsWith(lab.issuer));
  const isLacking = (iss === undefined && weak("no_issuer")) || (!iss && weak("issuer_if_any")) ||
    (Array.isArray(iss) && iss.includes(lab.issuer) && weak("issuer_list"));
  if (!isAnyIssuer && !isIssuer && !isLacking && !isOpaque) throw new Refusal("invalid_token");
  const audiences = weak("audience_text") ? [String(aud)] : [aud].flat();
  const ofClient = weak("id_token") || (weak("logout_token") && claims.events !== undefined);
  const expected = [apiUrl, ...ofClient ? ["demo-spa"] : []];
  const isMeant = Array.isArray(aud) && aud.length === 0
    ? weak("empty_audience")
    : aud === undefined
    ? weak("no_audience")
    : audiences.some((each) => expected.some(compared(String(each), weak, "audience")));
  const isList = weak("audience_of_lists") && Array.isArray(aud) && aud.length > 1;
  if (!isMeant && !isList && !weak("wrong_audience")) throw new Refusal("invalid_token");
}

/** Compares a value with the one that is expected, as a whole unless that is a weakness. */
function compared(value: string, weak: PlantedApi["weak"], name: "issuer" | "audience") {
  return (expected: string): boolean =>
    value === expected || (weak(`${name}_part`) && expected.includes(value)) ||
    (weak(`${name}_prefix`) && value.startsWith(expected)) ||
    (weak(`${name}_suffix`) && value.endsWith(expected)) ||
    (weak(`${name}_host`) && hostOf(value) === hostOf(expected));
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

function checkScope({ weak }: PlantedApi, { scope, aud }: Claims): void {
  if (weak("no_scope") && scope === undefined) return;
  if ((weak("id_token") || weak("logout_token")) && aud === "demo-spa") return;
  const text = String(scope ?? "");
  const granted = text.split(" ");
  const isGranted = (required: string) =>
    weak("scope_text") ? text.includes(required) : granted.includes(required) ||
      (weak("scope_part") && granted.some((each) => each && required.includes(each)));
  const required = apiScope.split(" ");
  const has = weak("small_scope") ? required.some(isGranted) : required.every(isGranted);
  if (has && !(weak("scope_order") && text !== apiScope)) return;
  throw weak("scope_401") ? new Refusal("invalid_token") : new Refusal("insufficient_scope", 403);
}

interface Presented {
  scheme: string;
  token: string;
  claims: Claims;
}

async function checkPossession(
  { lab, nonce, proofs, weak }: PlantedApi,
  request: Request,
  { scheme, token, claims }: Presented,
): Promise<void> {
  const { jkt, ...others } = (claims.cnf ?? {}) as Record<string, string>;
  const ignoresCertificates = weak("without_certificate") || weak("no_certificates");
  if ("x5t#S256" in others && !ignoresCertificates) throw new Refusal("invalid_token");
  if (scheme === "Bearer" && weak("dpop_alone")) throw new Refusal("invalid_token");
  if (jkt === undefined && scheme === "Bearer") return;
  if (weak("dpop_undeclared") && scheme === "Bearer") return;
  if (weak("dpop_refused")) throw new Refusal("invalid_token");
  if (scheme === "Bearer" && weak("dpop_as_bearer")) return;
  if (jkt === undefined || scheme === "Bearer") throw new Refusal("invalid_token");
  const proof = request.headers.get("DPoP");
  if (proof === null && weak("dpop_without_proof")) return;
  if (proof === null) throw new Refusal("invalid_dpop_proof");
  const { jwk = {} } = decodeProtectedHeader(proof);
  const { payload } = weak("dpop_signature")
    ? { payload: decodeJwt(proof) }
    : await jwtVerify(proof, await importJWK(jwk as JWK, "ES256"), { typ: "dpop+jwt" });
  const htu = String(payload.htu);
  const isUrl = htu === apiUrl || (weak("dpop_url_prefix") && htu.startsWith(apiUrl)) ||
    (weak("dpop_path") && new URL(htu).pathname === new URL(apiUrl).pathname);
  const holds: Array<[Weakness, boolean]> = [
    ["dpop_other_key", await calculateJwkThumbprint(jwk as JWK) === jkt],
    ["dpop_other_method", payload.htm === request.method],
    ["dpop_other_url", isUrl],
    ["dpop_other_token", payload.ath === createHash("sha256").update(token).digest("base64url")],
    ["dpop_replay", payload.nonce === nonce && !proofs.has(String(payload.jti))],
    ["dpop_old", Number(payload.iat) > lab.clock.now() / 1000 - 300],
  ];
  proofs.add(String(payload.jti));
  if (holds.some(([weakness, each]) => !each && !weak(weakness))) {
    throw new Refusal("invalid_dpop_proof");
  }
}
