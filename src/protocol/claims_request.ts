import { type ClaimTarget, isServerClaim } from "../model/claims.ts";
import { isObject, parseJson } from "../util/json.ts";
import { errorFactory } from "./oauth_error.ts";

const invalidRequest = errorFactory("invalid_request", "OpenID Connect Core, section 5.5");

const maxClaims = 100;
const maxDepth = 8;

/** How a client requests one claim (OpenID Connect Core, section 5.5.1). */
export interface RequestedClaim {
  essential: boolean;
  /** The acceptable values. Undefined accepts any. */
  values?: unknown[] | undefined;
}

/** Requested claims, by name. */
export type RequestedClaims = Record<string, RequestedClaim>;

/**
 * The individually requested claims, by where they are returned (OpenID Connect Core, section 5.5).
 */
export interface ClaimsRequest {
  userinfo: RequestedClaims;
  idToken: RequestedClaims;
}

/** Decides whether a client may request a claim by name. */
export type IsNameable = (claim: string, target: ClaimTarget) => boolean;

/**
 * Reads the `claims` parameter. Ignores unknown members, and claims that the client may not name.
 */
export function readClaimsRequest(
  text: string | undefined,
  isNameable: IsNameable,
): ClaimsRequest | undefined {
  if (text === undefined) return undefined;
  const json = parseJson(text);
  if (json === undefined) throw invalidRequest("The parameter 'claims' is not JSON.");
  const request = readObject(json, "The parameter 'claims'");
  return {
    userinfo: readMember(request, "userinfo", isNameable),
    idToken: readMember(request, "id_token", isNameable),
  };
}

/** Returns the names of the requested claims about the user. */
export function requestedUserClaims(request: ClaimsRequest | undefined): string[] {
  const names = [...Object.keys(request?.userinfo ?? {}), ...Object.keys(request?.idToken ?? {})];
  return [...new Set(names)].filter((name) => !isServerClaim(name));
}

/** Returns the acceptable subjects, or undefined for any (OpenID Connect Core, section 5.5.1). */
export function acceptableSubjects(request: ClaimsRequest | undefined): unknown[] | undefined {
  return request?.idToken.sub?.values ?? request?.userinfo.sub?.values;
}

/** Whether a claim has a value that the request accepts. */
export function isAcceptable(value: unknown, { values }: RequestedClaim): boolean {
  const text = JSON.stringify(value);
  return values === undefined || values.some((each) => JSON.stringify(each) === text);
}

function readMember(
  request: Record<string, unknown>,
  name: "userinfo" | "id_token",
  isNameable: IsNameable,
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
  return Object.fromEntries(requested.filter(([claim]) => isNameable(claim, name)));
}

function readRequestedClaim(claim: string, json: unknown): RequestedClaim {
  if (json === null) return { essential: false };
  const label = `The claim '${claim.slice(0, 64)}' of the parameter 'claims'`;
  const { essential = false, value, values } = readObject(json, label);
  if (typeof essential !== "boolean") {
    throw invalidRequest(`${label} has an 'essential' that is neither true nor false.`);
  }
  if (values !== undefined && !Array.isArray(values)) {
    throw invalidRequest(`${label} has 'values' that are not a list.`);
  }
  if (!isShallow([value, values], maxDepth)) {
    throw invalidRequest(`${label} has a value that is nested more than ${maxDepth} levels deep.`);
  }
  return { essential, values: value === undefined ? values : [value] };
}

function readObject(value: unknown, label: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw invalidRequest(`${label} is not a JSON object.`);
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}
