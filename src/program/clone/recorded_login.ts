import { openIdScopes } from "../../server/model/claims.ts";
import { isObject } from "../../server/util/text/json.ts";
import {
  isEndpointMember,
  type ProviderMetadata,
  type ReadMetadata,
  readProviderMetadata,
} from "../metadata/provider_metadata.ts";
import { type HarRequest, readHarEntries } from "./har_entries.ts";
import { namesOf, plainName, readTokens, type RecordedTokens } from "./recorded_tokens.ts";

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
  /** The scopes of OpenID Connect that the client asked for. */
  scopes: readonly string[];
  /** The names of parameters of the response. */
  parameters: readonly string[];
}

/** A path of words and versions. Others, such as ids of sessions, are not taken over. */
const plainPath =
  /^(?:\/(?:[a-z][a-z_-]{0,30}|\.well-known|(?:oauth|v)\d(?:\.\d)?|[a-z-]+\.json))+$/i;

/**
 * Reads a HAR, and throws away all but its facts. With metadata, only requests to the hosts of the
 * provider count.
 */
export function readRecordedLogin(
  har: Readonly<Record<string, unknown>>,
  date: string,
  given?: ReadMetadata,
): RecordedLogin {
  const all = readHarEntries(har);
  const metadata = given ?? findMetadata(all, date);
  const hosts = hostsOf(metadata?.document);
  const requests = all.filter(({ url }) => hosts.size === 0 || hosts.has(url.host));
  const authorization = requests.find(isAuthorization);
  const exchange = requests.find((each) => isTokenRequest(each) && isSuccess(each));
  const userinfo = requests.find(isUserinfo);
  return {
    metadata,
    origin: (authorization ?? requests.find(isTokenRequest))?.url.origin,
    endpoints: new Map([
      ...placeOf("authorization_endpoint", authorization),
      ...placeOf("token_endpoint", requests.find(isTokenRequest)),
      ...placeOf("userinfo_endpoint", userinfo),
      ...placeOf("jwks_uri", requests.find(isKeySet)),
    ]),
    authorization: authorization && readAuthorization(authorization, requests, all),
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

/** An application may use several providers: that of the login counts. */
function findMetadata(requests: readonly HarRequest[], date: string): ReadMetadata | undefined {
  const found = requests.flatMap((each) => readMetadata(each, date) ?? []);
  const login = requests.find(isAuthorization)?.url;
  return found.find(({ document }) => login && hostsOf(document).has(login.host)) ?? found[0];
}

/** Returns the hosts of a provider; none if there is no metadata. */
function hostsOf(document: ProviderMetadata | undefined): Set<string> {
  const urls = Object.entries(document ?? {})
    .filter(([name]) => name === "issuer" || isEndpointMember(name));
  return new Set(urls.map(([, url]) => new URL(String(url)).host));
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
  all: readonly HarRequest[],
): RecordedAuthorization {
  const { origin, searchParams } = url;
  const redirect = requests.find(({ url, location }) =>
    url.origin === origin && location !== undefined && responseIn(location).has("code")
  );
  const posted = all.find(({ method, form }) =>
    method === "POST" && form.has("code") && form.has("state") && !form.has("grant_type")
  );
  const parameters = redirect?.location ? responseIn(redirect.location) : posted?.form;
  return {
    status: [302, 303].find((status) => status === redirect?.status),
    scopes: (searchParams.get("scope") ?? "").split(" ")
      .filter((scope) => Object.hasOwn(openIdScopes, scope)),
    hasPkce: searchParams.has("code_challenge") || searchParams.has("request_uri"),
    parameters: [...new Set(parameters?.keys())].filter((name) => plainName.test(name)),
  };
}

function responseIn({ searchParams, hash }: URL): URLSearchParams {
  return searchParams.has("code") ? searchParams : new URLSearchParams(hash.slice(1));
}

function readRotation(requests: readonly HarRequest[]): boolean | undefined {
  const refresh = requests.find((each) =>
    isTokenRequest(each) && isSuccess(each) && each.form.get("grant_type") === "refresh_token"
  );
  if (!refresh) return undefined;
  const { refresh_token } = refresh.members;
  return refresh_token !== undefined && refresh_token !== refresh.form.get("refresh_token");
}
