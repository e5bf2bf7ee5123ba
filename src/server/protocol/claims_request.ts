import { type ClaimTarget, isServerClaim } from "../model/claims.ts";
import { canonicalJson, isObject, parseJson } from "../util/text/json.ts";
import { type ApplyRule, ruleSet } from "./rule.ts";

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

export type RequestedClaims = Record<string, RequestedClaim>;

/** The individually requested claims (OpenID Connect Core, section 5.5). */
export interface ClaimsRequest {
  userinfo: RequestedClaims;
  idToken: RequestedClaims;
}

/** Decides whether a client may request a claim by name. */
export type MayRequestClaim = (claim: string, target: ClaimTarget) => boolean;

const about = {
  see: "OpenID Connect Core, section 5.5",
  parameter: "claims",
  error: "invalid_request",
} as const;

const claimsRules = ruleSet("claims", about, {
  form: {
    title: "The parameter 'claims' must be well-formed",
    // The problem is a sentence that repeats nothing from the request.
    message: ({ problem = "" }) => problem,
    fix: "Send a JSON object with the members 'userinfo' and 'id_token'.",
    holds: ({ problem }: { problem: string | undefined }) => problem === undefined,
  },
});

/**
 * Reads the `claims` parameter. It ignores unknown members, and claims that the client may not
 * request. Those must be well-formed, too.
 */
export function readClaimsRequest(
  apply: ApplyRule,
  text: string | undefined,
  mayRequest: MayRequestClaim,
): ClaimsRequest | undefined {
  if (text === undefined) return undefined;
  const request = parseJson(text);
  apply(claimsRules.form, { problem: claimsProblem(request) });
  if (!isObject(request)) return undefined;
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

export function isAcceptable(value: unknown, { values }: RequestedClaim): boolean {
  if (values === undefined) return true;
  const text = canonicalJson(value);
  return values.some((each) => canonicalJson(each) === text);
}

function readMember(
  request: Record<string, unknown>,
  name: ClaimTarget,
  mayRequest: MayRequestClaim,
): RequestedClaims {
  const member = request[name];
  const entries = Object.entries(isObject(member) ? member : {});
  const allowed = entries.filter(([claim]) => mayRequest(claim, name));
  return Object.fromEntries(allowed.map(([claim, value]) => [claim, readRequestedClaim(value)]));
}

function readRequestedClaim(request: unknown): RequestedClaim {
  if (!isObject(request)) return { essential: false };
  const { essential, value, values } = request;
  const list = Array.isArray(values) ? values : undefined;
  return { essential: essential === true, values: value === undefined ? list : [value] };
}

/** Returns why the parameter `claims` is malformed, or undefined. */
function claimsProblem(request: unknown): string | undefined {
  if (request === undefined) return "The parameter 'claims' is not JSON.";
  if (!isObject(request)) return "The parameter 'claims' is not a JSON object.";
  return memberProblem(request, "userinfo") ?? memberProblem(request, "id_token");
}

function memberProblem(request: Record<string, unknown>, name: ClaimTarget): string | undefined {
  const label = `The member '${name}' of the parameter 'claims'`;
  const member = request[name] ?? {};
  if (!isObject(member)) return `${label} is not a JSON object.`;
  const requests = Object.values(member);
  if (requests.length > maxClaims) {
    return `${label} has ${requests.length} claims, more than ${maxClaims}.`;
  }
  return requests.map(requestedClaimProblem).find((problem) => problem !== undefined);
}

function requestedClaimProblem(request: unknown): string | undefined {
  if (request === null) return undefined;
  const label = "A claim of the parameter 'claims'";
  if (!isObject(request)) return `${label} is neither null nor a JSON object.`;
  const { essential = false, value, values } = request;
  if (typeof essential !== "boolean") {
    return `${label} has an 'essential' that is neither true nor false.`;
  }
  if (values !== undefined && !Array.isArray(values)) {
    return `${label} has 'values' that are not a list.`;
  }
  if (value !== undefined && values !== undefined) {
    return `${label} has both 'value' and 'values'. Send one of them.`;
  }
  const isDeep = [value, ...values ?? []].some((each) => isNestedDeeper(each, maxDepth));
  return isDeep
    ? `${label} has a value that is nested more than ${maxDepth} levels deep.`
    : undefined;
}

function isNestedDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isNestedDeeper(inner, depth - 1));
}
