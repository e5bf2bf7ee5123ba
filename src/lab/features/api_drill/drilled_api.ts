import { randomId } from "../../../server/issuer/random.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { Finding } from "../../findings/finding.ts";
import type { SeenFact } from "../../findings/grade.ts";
import { type DecodedJwt, readJwt } from "../../recording/credentials.ts";
import type { MintOptions } from "../../tokens/mint_options.ts";
import { LabError } from "../../util/lab_error.ts";
import type { Waits } from "../../util/waits.ts";
import type { FaultTools } from "../faults/feature.ts";
import type { Deviation } from "../verdicts/drill_check.ts";
import { challengesIn, readDemandedScope, readDemands } from "./api_demands.ts";
import type { ApiDrill } from "./api_drill_tools.ts";
import { makeProofKeys, type ProofKeys, type ProofParts, signProof } from "./attacker.ts";
import {
  type ApiResponse,
  type CallApi,
  createApiCaller,
  isAccepted,
  type SentToApi,
} from "./call_api.ts";
import { refusedTokenError } from "./refused_token.ts";

/** A request of a drill, as far as it differs from others. */
export interface ApiRequest {
  /** What is special about it, after "status 200 for": "an expired token". */
  what: string;
  headers?: Readonly<Record<string, string>>;
  /** In place of the path and query of the URL, as another spelling of it. */
  path?: string;
  /** Added to the query of the URL. */
  query?: Readonly<Record<string, string>>;
  /** Whether a server may close the connection, as it is larger than most take. */
  isLarge?: boolean;
  /** Whether its refusal counts without a valid token that was accepted just before. */
  isUncontrolled?: boolean;
  /** A form in place of the body. */
  form?: Readonly<Record<string, string>>;
  /** What its proof is for. It is signed when the request is sent, for the nonce of that moment. */
  proof?: Partial<ProofParts> & Pick<ProofParts, "token">;
}

export interface PresentedAs {
  /** @default "Bearer", or "DPoP" if the API takes no other tokens */
  scheme?: string;
  /** What differs in the DPoP proof, or a text in place of one. */
  proof?: Partial<ProofParts> | string | undefined;
}

export interface SeenResponse {
  request: ApiRequest;
  response: ApiResponse;
}

/** What differs from a valid token. */
export type MintChanges = Partial<
  Pick<MintOptions, "claims" | "expiresIn" | "header" | "omit" | "sub">
>;

/** What an API did with tokens that lead to keys of an attacker. */
export type LedTo = Record<"accepted" | "fetched", Deviation[]>;

/** A lab that can fail. */
type FaultedLab = CoreLab & Pick<FaultTools, "fault">;

/** What is known of an API before it is called with a token. */
interface KnownApi {
  readonly lab: FaultedLab;
  readonly options: ApiDrill;
  readonly url: string;
  /** The scopes that it requires, by their names in a token. */
  readonly scope: readonly string[];
  readonly audience: string | undefined;
  readonly user: string;
  /** Whether it declares proofs with ES256, or the drill was told so. */
  readonly declaresDpop: boolean;
  /** Whether its metadata declares that it supports tokens that are bound to a certificate. */
  readonly bindsToCertificates: boolean;
  readonly hasMetadata: boolean;
  readonly keys: ProofKeys;
  readonly waits: Waits;
}

/** An API under the drill, with what mints tokens for it and sends them. */
export interface DrilledApi extends KnownApi {
  /** The parts of a valid token, unless it is opaque. */
  readonly jwt: DecodedJwt | undefined;
  /** Whether it takes tokens that are bound to a key, and demands the proof. */
  readonly takesDpop: boolean;
  /** The scheme of a request that names none. */
  readonly usual: "Bearer" | "DPoP";
  /** Whether it responds to requests without a token as to those of a user. */
  readonly isOpen: boolean;
  /** Everything so far. */
  readonly seen: readonly SeenResponse[];
  /** What tokens did that lead somewhere, by what sends them, until the next check has taken it. */
  readonly ledTo: Map<unknown, LedTo>;
  /** Issues a token that is valid but for the changes. */
  mint(changes?: MintChanges): Promise<string>;
  present(token: string, what: string, how?: PresentedAs): Promise<ApiRequest>;
  /** Sends a request. If the API demands its nonce first, it is sent again. */
  send(request: ApiRequest): Promise<ApiResponse>;
  /** Returns a request as it goes to the API now, with its proof. */
  toSend(request: ApiRequest): Promise<SentToApi>;
}

/** The lab and what else a drill needs of it. */
export interface ApiDrillParts {
  lab: FaultedLab;
  origins: readonly string[];
  waits: Waits;
  /** What is known of the API and its provider before the drill. */
  known: readonly SeenFact[];
  mark(findings: readonly Finding[]): Finding[];
  /** Called after each check. */
  onProgress(done: number, total: number): void;
}

/**
 * Prepares the drill of an API: finds out what tokens it takes.
 *
 * @throws {LabError} It refuses a valid one.
 */
export async function openApi(parts: ApiDrillParts, options: ApiDrill): Promise<DrilledApi> {
  const { lab, waits } = parts;
  const { request: target } = options;
  const url = urlOf(options);
  const call = createApiCaller(target, lab.context.settings.fetch, waits);
  const callBare = () => call(() => toSend(url, options, { what: "a request without a token" }));
  const bare = await callBare();
  if (bare.status === 0) {
    throw new LabError(`${url} cannot be reached: ${bare.problem}.`, { field: "request" });
  }
  const asked = await readDemands(bare, url, call);
  const audience = options.audience ?? asked.audience;
  const user = options.user ?? lab.users.list()[0]?.name;
  if (user === undefined) throw new LabError("The lab has no user: name one for the drill.");
  const keys = await makeProofKeys();
  const { bindsToCertificates, hasMetadata } = asked;
  const declaresDpop = options.dpop === true || asked.dpopAlgs.includes("ES256");
  const given = { lab, options, url, audience, user, keys, waits };
  const known = { ...given, scope: [], declaresDpop, bindsToCertificates, hasMetadata };
  const text = options.scope ?? asked.scope ?? await demandedScope(connectTo(known, call));
  const api = connectTo({ ...known, scope: text?.split(" ").filter(Boolean) ?? [] }, call);
  await detectSchemes(api);
  if (isAccepted(bare)) api.publicText = await publicTextOf(api, [bare, await callBare()]);
  const isOpen = isAccepted(bare) && api.publicText === undefined;
  const jwt = readJwt(await api.mint());
  return { ...api, jwt, isOpen, scope: scopeIn(jwt, api.scope) };
}

/** An API while the drill finds out which schemes it takes. */
interface PreparedApi extends Omit<DrilledApi, "isOpen" | "jwt" | "takesDpop" | "usual"> {
  usual: DrilledApi["usual"];
  takesDpop: boolean;
  /** What it shows to anyone, if it shows something else to a user. */
  publicText?: string | undefined;
}

/** Returns an API with what mints tokens for it, and sends them. */
function connectTo(known: KnownApi, call: CallApi): PreparedApi {
  const { lab, options, url, scope, audience, user, keys } = known;
  const seen: SeenResponse[] = [];
  let nonce: string | undefined;
  const api: PreparedApi = {
    ...known,
    seen,
    ledTo: new Map(),
    usual: "Bearer",
    takesDpop: false,
    async toSend(request) {
      const sent = toSend(url, options, request);
      if (!request.proof) return sent;
      const usual = { key: keys.own, method: sent.method, url, nonce };
      const DPoP = await signProof(lab.context, { ...usual, ...request.proof });
      return { ...sent, headers: { ...sent.headers, DPoP } };
    },
    async send(request) {
      const used = nonce;
      const came = await call(() => api.toSend(request));
      const response = { ...came, isPublic: came.text === api.publicText };
      if (response.status === 429) {
        throw new LabError(`${url} limits how often it is called: switch that off for the drill.`);
      }
      nonce = response.headers.get("DPoP-Nonce") ?? nonce;
      seen.push({ request, response });
      const isRenewed = request.proof && nonce !== used && demandsNonce(response, used);
      return isRenewed ? await api.send(request) : response;
    },
    async mint({ claims, ...changes } = {}) {
      const isBound = api.usual === "DPoP";
      const { token } = await lab.mint({
        sub: user,
        client: options.client,
        audience,
        kind: "access",
        ...scope.length > 0 && { scope: scope.join(" ") },
        ...changes,
        ...(claims || isBound) && { claims: { ...isBound && boundTo(keys), ...claims } },
      });
      return token;
    },
    async present(token, what, { scheme = api.usual, proof = {} } = {}) {
      const headers = { Authorization: `${scheme} ${token}` };
      if (scheme.toLowerCase() !== "dpop") return { what, headers };
      if (typeof proof === "string") return { what, headers: { ...headers, DPoP: proof } };
      return { what, headers, proof: { token, ...proof } };
    },
  };
  return api;
}

function toSend(
  url: string,
  options: ApiDrill,
  { headers, path = "", query, form }: ApiRequest,
): SentToApi {
  const sent = path === "" ? new URL(url) : new URL(new URL(url).origin + path);
  for (const [name, value] of Object.entries(query ?? {})) sent.searchParams.append(name, value);
  const type = { "Content-Type": "application/x-www-form-urlencoded" };
  return {
    url: sent.href,
    method: form ? "POST" : options.method ?? "GET",
    headers: { ...options.headers, ...headers, ...form && type },
    body: form ? new URLSearchParams({ ...form }).toString() : options.body,
  };
}

/**
 * An API may respond to anyone, and show more to a user. Returns what anyone sees, where each comes
 * twice in the same words.
 */
async function publicTextOf(
  api: PreparedApi,
  [one, other]: readonly [one: ApiResponse, other: ApiResponse],
): Promise<string | undefined> {
  const shown = async () =>
    (await api.send(await api.present(await api.mint(), "a valid token"))).text;
  const [own, again] = [await shown(), await shown()];
  const isSteady = one.text === other.text && own === again;
  return isSteady && own !== one.text ? one.text : undefined;
}

/** Whether an API may want its nonce in a proof that had another one, or none (RFC 9449, section 9). */
function demandsNonce(response: ApiResponse, used: string | undefined): boolean {
  if (used === undefined) return !isAccepted(response);
  return challengesIn(response).some(({ parameters }) => parameters.error === "use_dpop_nonce");
}

/** An API that names its scope only where a token lacks it gets a token with the usual one. */
async function demandedScope(api: PreparedApi): Promise<string | undefined> {
  const request = await api.present(await api.mint(), "a token with the usual scope");
  return readDemandedScope(await api.send(request));
}

/** @throws {LabError} The API takes a valid token with neither scheme. */
async function detectSchemes(api: PreparedApi): Promise<void> {
  const before = api.lab.exchanges().at(-1)?.id ?? 0;
  const isDpopTaken = await takes(api, "DPoP");
  // An API that reads any scheme, and no proof, knows nothing of DPoP (RFC 9449, section 7.2).
  api.takesDpop = isDpopTaken && (api.declaresDpop || !await takes(api, "DPoP", "none"));
  if (await takes(api, "Bearer")) return;
  if (!isDpopTaken) {
    const [token, response] = [await api.mint(), api.seen.at(-1)?.response];
    const takesJwt = readJwt(token) !== undefined && await takesType(api, "JWT");
    throw refusedTokenError({ ...api, token, response, before, takesJwt });
  }
  api.usual = "DPoP";
}

/** Returns the parts of a valid token with another `jti`; of an opaque one, none. */
export function freshJwt({ jwt, lab }: DrilledApi): DecodedJwt {
  const { header, claims } = jwt ?? { header: {}, claims: {} };
  return { header, claims: { ...claims, jti: randomId(lab.context) } };
}

/** Returns the audiences of a valid token. */
export function audiencesOf({ audience, jwt, lab }: DrilledApi): unknown[] {
  return [audience ?? jwt?.claims.aud ?? lab.context.settings.defaultResource].flat();
}

/** Whether the lab's access tokens have the type of RFC 9068; those of most presets do not. */
export function hasAccessTokenType({ jwt }: DrilledApi): boolean {
  return /^(application\/)?at\+jwt$/i.test(String(jwt?.header.typ));
}

/** Returns scopes by their names in a token: Entra's are without the URI of the API. */
function scopeIn(jwt: DecodedJwt | undefined, scope: readonly string[]): readonly string[] {
  const names = [jwt?.claims.scp ?? []].flat().flatMap((scp) => String(scp).split(" "));
  const nameOf = (each: string) =>
    names.find((name) => name === each || each.endsWith(`/${name}`)) ?? each;
  return scope.map(nameOf);
}

/**
 * Returns the claims with a scope. Tokens of some presets have it in `scp`, as a text or a list;
 * introspection returns `scope` all the same.
 */
export function scopeClaims({ jwt }: DrilledApi, scope: string): Record<string, unknown> {
  const { scp } = jwt?.claims ?? {};
  const form = Array.isArray(scp) ? scope.split(" ") : scope;
  return { scope, ...scp !== undefined && { scp: form } };
}

/** Returns the claim that binds a token to the key of the drill (RFC 9449, section 6.1). */
export function boundTo({ jkt }: ProofKeys): { cnf: { jkt: string } } {
  return { cnf: { jkt } };
}

/** Whether an API takes a valid token. */
async function takes(
  api: PreparedApi,
  scheme: "Bearer" | "DPoP",
  proof?: string,
): Promise<boolean> {
  const token = await api.mint({ claims: scheme === "DPoP" ? boundTo(api.keys) : {} });
  const what = `a token with the scheme ${scheme}`;
  return isAccepted(await api.send(await api.present(token, what, { scheme, proof })));
}

/** Whether an API takes a valid token if that has another type. */
async function takesType(api: PreparedApi, typ: string): Promise<boolean> {
  const token = await api.mint({ header: { typ } });
  return isAccepted(await api.send(await api.present(token, `a token of the type ${typ}`)));
}

function urlOf({ request, url, audience }: ApiDrill): string {
  if (typeof request === "string") return request;
  const given = url ?? audience;
  if (given !== undefined && URL.canParse(given)) return given;
  throw new LabError("The drill of a function needs the 'url' of its requests.");
}
