import { type ClaimTarget, isServerClaim } from "../model/claims.ts";
import { canonicalJson, isObject, parseJson } from "../util/json.ts";
import { errorFactory } from "./oauth_error.ts";

const invalidRequest = errorFactory("invalid_request", "OpenID Connect Core, section 5.5");

/** How many claims a client may request from one place. */
const maxClaims = 100;

/** How many levels of objects and lists a requested value may have. */
const maxDepth = 8;

/** How a client requests one claim (OpenID Connect Core, section 5.5.1). */
export interface RequestedClaim {
  essential: boolean;
  /** The acceptable values. If undefined, every value is acceptable. */
  values?: unknown[] | undefined;
}

/** Requested claims, by name. */
export type RequestedClaims = Record<string, RequestedClaim>;

/** The individually requested claims (OpenID Connect Core, section 5.5). */
export interface ClaimsRequest {
  userinfo: RequestedClaims;
  idToken: RequestedClaims;
}

/** Decides whether a client may request a claim by name. */
export type MayRequestClaim = (claim: string, target: ClaimTarget) => boolean;

/**
 * Reads the `claims` parameter. It ignores unknown members, and claims that the client may not
 * request. Those must be well-formed, too.
 */
export function readClaimsRequest(
  text: string | undefined,
  mayRequest: MayRequestClaim,
): ClaimsRequest | undefined {
  if (text === undefined) return undefined;
  const json = parseJson(text);
  if (json === undefined) throw invalidRequest("The parameter 'claims' is not JSON.");
  const request = readObject(json, "The parameter 'claims'");
  return {
    userinfo: readMember(request, "userinfo", mayRequest),
    idToken: readMember(request, "id_token", mayRequest),
  };
}

/** Returns the names of the requested claims about the user. */
export function requestedUserClaims(request: ClaimsRequest | undefined): string[] {
  const names = [...Object.keys(request?.userinfo ?? {}), ...Object.keys(request?.idToken ?? {})];
  return [...new Set(names)].filter((name) => !isServerClaim(name));
}

/**
 * Returns the acceptable subjects, or undefined if every one is (OpenID Connect Core, section
 * 5.5.1). The request for the ID token comes first, because the ID token states who signed in.
 */
export function acceptableSubjects(request: ClaimsRequest | undefined): unknown[] | undefined {
  return request?.idToken.sub?.values ?? request?.userinfo.sub?.values;
}

/** Whether a claim has a value that the request accepts. */
export function isAcceptable(value: unknown, { values }: RequestedClaim): boolean {
  if (values === undefined) return true;
  const text = canonicalJson(value);
  return values.some((each) => canonicalJson(each) === text);
}

function readMember(
  request: Record<string, unknown>,
  name: "userinfo" | "id_token",
  mayRequest: MayRequestClaim,
): RequestedClaims {
  const member = request[name] ?? {};
  const label = `The member '${name}' of the parameter 'claims'`;
  const entries = Object.entries(readObject(member, label));
  if (entries.length > maxClaims) {
    throw invalidRequest(`${label} has ${entries.length} claims, more than ${maxClaims}.`);
  }
  const requested = entries.map(([claim, value]) =>
    [claim, readRequestedClaim(claim, value)] as const
  );
  return Object.fromEntries(requested.filter(([claim]) => mayRequest(claim, name)));
}

function readRequestedClaim(claim: string, request: unknown): RequestedClaim {
  if (request === null) return { essential: false };
  const label = `The claim '${claim.slice(0, 64)}' of the parameter 'claims'`;
  const { essential = false, value, values } = readObject(request, label);
  if (typeof essential !== "boolean") {
    throw invalidRequest(`${label} has an 'essential' that is neither true nor false.`);
  }
  if (values !== undefined && !Array.isArray(values)) {
    throw invalidRequest(`${label} has 'values' that are not a list.`);
  }
  if (value !== undefined && values !== undefined) {
    throw invalidRequest(`${label} has both 'value' and 'values'. Send one of them.`);
  }
  const acceptable = value === undefined ? values : [value];
  if (acceptable?.some((each) => isNestedDeeper(each, maxDepth))) {
    throw invalidRequest(`${label} has a value that is nested more than ${maxDepth} levels deep.`);
  }
  return { essential, values: acceptable };
}

function readObject(value: unknown, label: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw invalidRequest(`${label} is not a JSON object.`);
}

function isNestedDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isNestedDeeper(inner, depth - 1));
}
