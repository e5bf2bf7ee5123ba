import { readJwt } from "../../lab/recording/credentials.ts";
import { isObject } from "../../server/util/text/json.ts";
import { type ReadMetadata, readProviderMetadata } from "../metadata/provider_metadata.ts";
import { type HarRequest, readHarEntries } from "./har_entries.ts";

/**
 * What a recording shows of a provider: numbers, words of the specifications, and names of claims.
 * Values of parameters, cookies, headers and tokens are not among them.
 */
export interface RecordedLogin {
  /** The metadata, if the client fetched it. */
  metadata: ReadMetadata | undefined;
  /** The origin of the authorization endpoint, or else of the token endpoint. */
  origin: string | undefined;
  /** The paths of endpoints that requests were sent to, by the member of metadata. */
  endpoints: ReadonlyMap<string, string>;
  authorization: RecordedAuthorization | undefined;
  tokens: RecordedTokens | undefined;
  /** The names of claims in userinfo. */
  userinfo: readonly string[] | undefined;
  /** Whether a refresh returned another refresh token. */
  rotates: boolean | undefined;
}

/** What the authorization response looks like. */
export interface RecordedAuthorization {
  /** 302 or 303; undefined if it was no redirect. */
  status: number | undefined;
  hasPkce: boolean;
  /** The names of parameters of the response. */
  parameters: readonly string[];
}

/** What the token response looks like. */
export interface RecordedTokens {
  isForm: boolean;
  hasLowerCaseType: boolean;
  hasCommas: boolean;
  hasScope: boolean;
  lifetime: number | undefined;
  /** The names of its members. */
  members: readonly string[];
  accessToken: RecordedJwt | "opaque" | undefined;
  idToken: RecordedJwt | undefined;
}

/** What a JWT looks like. */
export interface RecordedJwt {
  typ: "JWT" | "at+jwt" | "none" | "other";
  /** The names of its claims. */
  claims: readonly string[];
}

/** Words, perhaps with a number, perhaps below a URL: no credential looks like that. */
const plainName = /^(?:https?:\/\/[a-z.-]{1,60}\/(?:[a-z]{1,20}\/)*)?[a-z][a-z_-]{0,40}\d?$/i;
/** A path of words and versions. Others, such as ids of sessions, are not taken over. */
const plainPath =
  /^(?:\/(?:[a-z][a-z_-]{0,30}|\.well-known|(?:oauth|v)\d(?:\.\d)?|[a-z-]+\.json))+$/i;

/** Reads a HAR, and throws away all but its facts. */
export function readRecordedLogin(
  har: Readonly<Record<string, unknown>>,
  date: string,
): RecordedLogin {
  const requests = readHarEntries(har);
  const authorization = requests.find(isAuthorization);
  const exchange = requests.find((each) => isTokenRequest(each) && isSuccess(each));
  const userinfo = requests.find(isUserinfo);
  return {
    metadata: requests.map((each) => readMetadata(each, date)).find((each) => each !== undefined),
    origin: (authorization ?? requests.find(isTokenRequest))?.url.origin,
    endpoints: new Map([
      ...placeOf("authorization_endpoint", authorization),
      ...placeOf("token_endpoint", requests.find(isTokenRequest)),
      ...placeOf("userinfo_endpoint", userinfo),
      ...placeOf("jwks_uri", requests.find(isKeySet)),
    ]),
    authorization: authorization && readAuthorization(authorization, requests),
    tokens: exchange && readTokens(exchange.members, exchange.isForm),
    userinfo: userinfo && namesOf(userinfo.members),
    rotates: readRotation(requests),
  };
}

function isAuthorization({ url, status }: HarRequest): boolean {
  const query = url.searchParams;
  const asks = query.has("response_type") || query.has("request_uri") || query.has("request");
  return asks && query.has("client_id") && status < 400;
}

function isTokenRequest({ method, form }: HarRequest): boolean {
  return method === "POST" && form.has("grant_type");
}

function isSuccess({ status, members }: HarRequest): boolean {
  return status === 200 && typeof members.access_token === "string";
}

/** Browsers may leave the Authorization header out of a recording. */
function isUserinfo({ hasBearer, url, status, members }: HarRequest): boolean {
  const isNamed = hasBearer || /\/userinfo$/i.test(url.pathname);
  return isNamed && status === 200 && typeof members.sub === "string";
}

function isKeySet({ status, members: { keys } }: HarRequest): boolean {
  return status === 200 && Array.isArray(keys) && keys.some((key) => isObject(key) && key.kty);
}

function readMetadata({ url, status, members }: HarRequest, date: string) {
  if (status !== 200 || !url.pathname.includes("/.well-known/")) return undefined;
  try {
    const document = readProviderMetadata(members, "A response");
    return { document, url: url.origin + url.pathname, date };
  } catch {
    return undefined;
  }
}

function placeOf(
  member: string,
  request: HarRequest | undefined,
): Array<[string, string]> {
  const path = request?.url.pathname ?? "";
  return plainPath.test(path) ? [[member, path]] : [];
}

/** The response is a redirect to the client, or a form that the browser sends there. */
function readAuthorization(
  { url }: HarRequest,
  requests: readonly HarRequest[],
): RecordedAuthorization {
  const { origin, searchParams } = url;
  const redirect = requests.find(({ url, location }) =>
    url.origin === origin && location !== undefined && responseIn(location).has("code")
  );
  const posted = requests.find(({ method, form }) =>
    method === "POST" && form.has("code") && form.has("state") && !form.has("grant_type")
  );
  const parameters = redirect?.location ? responseIn(redirect.location) : posted?.form;
  return {
    status: [302, 303].find((status) => status === redirect?.status),
    hasPkce: searchParams.has("code_challenge") || searchParams.has("request_uri"),
    parameters: [...new Set(parameters?.keys())].filter((name) => plainName.test(name)),
  };
}

function responseIn({ searchParams, hash }: URL): URLSearchParams {
  return searchParams.has("code") ? searchParams : new URLSearchParams(hash.slice(1));
}

function readTokens(
  members: Readonly<Record<string, unknown>>,
  isForm: boolean,
): RecordedTokens {
  const { access_token, id_token, token_type, scope, expires_in } = members;
  const lifetime = Number(expires_in);
  return {
    isForm,
    hasLowerCaseType: token_type === "bearer",
    hasCommas: typeof scope === "string" && scope.includes(","),
    hasScope: scope !== undefined,
    lifetime: Number.isSafeInteger(lifetime) && lifetime > 0 ? lifetime : undefined,
    members: namesOf(members),
    accessToken: readRecordedJwt(access_token) ?? "opaque",
    idToken: readRecordedJwt(id_token),
  };
}

function readRecordedJwt(token: unknown): RecordedJwt | undefined {
  const { header, claims } = typeof token === "string" ? readJwt(token) ?? {} : {};
  if (!isObject(header) || !isObject(claims)) return undefined;
  const { typ } = header;
  const known = ["JWT", "at+jwt"].find((each) => each === typ) as "JWT" | "at+jwt" | undefined;
  return { typ: known ?? (typ === undefined ? "none" : "other"), claims: namesOf(claims) };
}

function namesOf(members: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(members).filter((name) => plainName.test(name));
}

function readRotation(requests: readonly HarRequest[]): boolean | undefined {
  const refresh = requests.find((each) =>
    isTokenRequest(each) && isSuccess(each) && each.form.get("grant_type") === "refresh_token"
  );
  if (!refresh) return undefined;
  const { refresh_token } = refresh.members;
  return refresh_token !== undefined && refresh_token !== refresh.form.get("refresh_token");
}
