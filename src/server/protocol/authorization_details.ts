import type { AuthorizationDetail } from "../model/access_token.ts";
import { canonicalJson, isObject, parseJson } from "../util/text/json.ts";
import {
  type AuthorizationDetailTypes,
  detailProblem,
  isDetail,
} from "./authorization_detail_types.ts";
import { type ApplyRule, compared, requireValue, ruleSet } from "./rule.ts";

const maxDetails = 20;

const about = {
  see: "RFC 9396, section 5",
  parameter: "authorization_details",
  error: "invalid_authorization_details",
} as const;

const detailsRules = ruleSet("details", about, {
  list: {
    title: `The authorization_details must be a JSON array of 1 to ${maxDetails} entries`,
    holds: (list) => Array.isArray(list) && list.length > 0 && list.length <= maxDetails,
    received: (list) => Array.isArray(list) ? `${list.length} entries` : "not an array",
  },
  valid: {
    title: "Each of the authorization_details must have a known type, and the members of that type",
    // The problem is a sentence that repeats nothing from the request.
    message: ({ problem = "" }) => problem,
    fix: "Send the type and the members that this server documents.",
    holds: ({ problem }: { problem: string | undefined }) => problem === undefined,
  },
  allowed: {
    ...compared,
    title: "Each of the authorization_details must have a type that the client may request",
    fix: "Allow the type for the client, or request another one.",
  },
  granted: {
    see: "RFC 9396, section 6",
    title: "Each of the authorization_details must be identical to one that was granted",
    fix: "Send authorization_details exactly as they were granted, or omit them.",
    holds: ({ granted }: { granted: AuthorizationDetail | undefined }) => granted !== undefined,
  },
});

/**
 * Reads the details that a client requests, of types that it may use (RFC 9396, sections 2 and 5).
 */
export function readAuthorizationDetails(
  apply: ApplyRule,
  text: string | undefined,
  types: AuthorizationDetailTypes,
  allowed: readonly string[],
): AuthorizationDetail[] | undefined {
  if (text === undefined) return undefined;
  return parseList(apply, text).map((detail) => {
    const checked = isDetail(detail) ? detail : undefined;
    const facts = { problem: detailProblem(checked, types) };
    const valid = requireValue(apply, detailsRules.valid, facts, checked);
    apply(detailsRules.allowed, { received: valid.type, expected: allowed });
    return valid;
  });
}

/** Narrows the granted details. None can be changed or widened (RFC 9396, section 6). */
export function narrowAuthorizationDetails(
  apply: ApplyRule,
  text: string,
  granted: readonly AuthorizationDetail[] | undefined,
): AuthorizationDetail[] {
  const grantedByText = new Map(granted?.map((detail) => [canonicalJson(detail), detail]));
  return parseList(apply, text).map((requested) => {
    const detail = grantedByText.get(canonicalJson(requested));
    return requireValue(apply, detailsRules.granted, { granted: detail }, detail);
  });
}

export function detailsOfTypes(
  details: readonly AuthorizationDetail[] | undefined,
  types: readonly string[],
): AuthorizationDetail[] | undefined {
  return details?.filter(({ type }) => types.includes(type));
}

/**
 * A field of a detail as a page shows it. The entries of a list stay apart: joined, one of them
 * could pass for two.
 */
export interface DescribedField {
  /** The name of the member; of a nested one, with the names above it. */
  name: string;
  /** Its values, as text. */
  values: string[];
}

/** Lists the fields of a detail for a page. Nested fields get dotted names. */
export function describeFields(fields: object, prefix = ""): DescribedField[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    if (isObject(value)) return describeFields(value, `${path}.`);
    return { name: path, values: [value].flat().map(String) };
  });
}

function parseList(apply: ApplyRule, text: string): readonly unknown[] {
  const list = parseJson(text);
  const isList = Array.isArray(list);
  return requireValue(apply, detailsRules.list, list, isList ? list : undefined);
}
