import { claimNames, type Claims } from "../model/claims.ts";
import { isObject, parseJson } from "../util/json.ts";
import { errorFactory } from "./oauth_error.ts";

const invalidRequest = errorFactory("invalid_request", "OpenID Connect Core, section 5.5");

/** How a client asks for one claim (OpenID Connect Core, section 5.5.1). */
export interface RequestedClaim {
  essential: boolean;
  /** The only values that it wants; any, where it names none. */
  values?: unknown[];
}

/** The claims that a client asks for one by one, and where it wants to find them (OpenID Connect Core, section 5.5). */
export interface ClaimsRequest {
  userinfo: Record<string, RequestedClaim>;
  idToken: Record<string, RequestedClaim>;
}

const maxClaims = 100;
const maxDepth = 8;

/** What a token says of itself and of the sign-in. No claim of a person can stand in for these. */
const ownClaims = new Set(
  "iss sub aud exp iat nbf jti nonce auth_time acr amr azp sid at_hash c_hash s_hash cnf act may_act events client_id scope"
    .split(" "),
);

/** Whether a claim describes the token or the sign-in, and not a person. */
export function isTokenClaim(name: string): boolean {
  return ownClaims.has(name);
}

/**
 * Reads the parameter `claims`; unknown members are ignored, and so are claims that the client may
 * not name.
 */
export function readClaimsRequest(
  text: string | undefined,
  isAllowed: (claim: string) => boolean,
): ClaimsRequest | undefined {
  if (text === undefined) return undefined;
  const json = parseJson(text);
  if (json === undefined) throw invalidRequest("The claims parameter is not JSON.");
  const request = readObject(json, "The claims parameter");
  return {
    userinfo: readMember(request, "userinfo", isAllowed),
    idToken: readMember(request, "id_token", isAllowed),
  };
}

/** The claims about a person that a request names beyond those that its scope asks for. */
export function claimsBeyond(
  scope: readonly string[],
  request: ClaimsRequest | undefined,
): string[] {
  const named = [...Object.keys(request?.userinfo ?? {}), ...Object.keys(request?.idToken ?? {})];
  const ofScope = claimNames(scope);
  return [...new Set(named)].filter((name) => !ownClaims.has(name) && !ofScope.includes(name));
}

/** The subjects of whom one must be signed in; anybody, where the request names none (OpenID Connect Core, section 5.5.1). */
export function requestedSubjects(request: ClaimsRequest | undefined): unknown[] | undefined {
  return request?.idToken.sub?.values ?? request?.userinfo.sub?.values;
}

/** Those of a person's claims that are wanted, where they have a wanted value. */
export function requestedClaims(claims: Claims, wanted: Record<string, RequestedClaim>): Claims {
  const found = Object.entries(wanted).filter(([name, { values }]) =>
    !ownClaims.has(name) && Object.hasOwn(claims, name) &&
    (values === undefined || values.some((value) => isSame(value, claims[name])))
  );
  return Object.fromEntries(found.map(([name]) => [name, claims[name]]));
}

function readMember(
  request: Record<string, unknown>,
  name: string,
  isAllowed: (claim: string) => boolean,
): Record<string, RequestedClaim> {
  const member = request[name];
  if (member === undefined || member === null) return {};
  const entries = Object.entries(
    readObject(member, `The member '${name}' of the claims parameter`),
  );
  if (entries.length > maxClaims) {
    throw invalidRequest(
      `The member '${name}' of the claims parameter names more than ${maxClaims} claims.`,
    );
  }
  const wanted = entries.map(([claim, wanted]) =>
    [claim, readRequestedClaim(claim, wanted)] as const
  );
  return Object.fromEntries(wanted.filter(([claim]) => isAllowed(claim)));
}

function readRequestedClaim(claim: string, wanted: unknown): RequestedClaim {
  if (wanted === null) return { essential: false };
  const label = `The claim '${claim.slice(0, 64)}' of the claims parameter`;
  const { essential = false, value, values } = readObject(wanted, label);
  if (typeof essential !== "boolean") {
    throw invalidRequest(`${label} has an 'essential' that is neither true nor false.`);
  }
  if (values !== undefined && !Array.isArray(values)) {
    throw invalidRequest(`${label} has 'values' that are no list.`);
  }
  if (!isShallow([value, values], maxDepth)) {
    throw invalidRequest(`${label} has a value that is nested more than ${maxDepth} deep.`);
  }
  return { essential, values: value === undefined ? values : [value] };
}

function readObject(value: unknown, what: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw invalidRequest(`${what} is not a JSON object.`);
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
