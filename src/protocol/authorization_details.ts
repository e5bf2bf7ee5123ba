import type { AuthorizationDetail } from "../model/access_rights.ts";
import type { LocalizedText } from "../model/localized_text.ts";
import { canonicalJson, isObject, parseJson } from "../util/json.ts";
import { ownMember } from "../util/own_member.ts";
import { isReadable } from "../util/readable_text.ts";
import { errorFactory } from "./oauth_error.ts";

const invalidAuthorizationDetails = errorFactory(
  "invalid_authorization_details",
  "RFC 9396, section 5",
);

const maxDetails = 20;
const maxTextLength = 1000;

/** A simple kind of field: how to recognize it, and its name in an error. */
interface FieldKind {
  matches: (value: unknown) => boolean;
  description: string;
}

const simpleKinds: Record<Exclude<AuthorizationDetailField, object>, FieldKind> = {
  text: { matches: isText, description: `a string of up to ${maxTextLength} visible characters` },
  texts: { matches: isTextList, description: "a list of such strings" },
  number: { matches: (value) => Number.isFinite(value), description: "a number" },
  flag: { matches: (value) => typeof value === "boolean", description: "true or false" },
};

/**
 * What one field holds: `text` is a string of up to 1,000 characters, `texts` a list of such strings
 * with at least one, `number` a number, and `flag` true or false. An object is an object with these
 * fields.
 */
export type AuthorizationDetailField =
  | "text"
  | "texts"
  | "number"
  | "flag"
  | AuthorizationDetailFields;

/**
 * All fields of a type of details, each with what it holds. The name of an optional field ends with
 * a question mark.
 */
export interface AuthorizationDetailFields {
  /** What each member holds. */
  [name: string]: AuthorizationDetailField;
}

/** A type of authorization details. */
export interface AuthorizationDetailType {
  /** What it means, for the user who decides about it; or a text for each language. */
  meaning: LocalizedText;
  /**
   * The members that a request may have, and what each holds: `text` is a string of up to 1,000
   * characters, `texts` a list of at least one such string, `number` a number, `flag` is true or
   * false, and an object is an object with these members. The name of an optional member ends with a
   * question mark. Example: `{ "amount": { "value": "number", "currency": "text" }, "note?": "text" }`.
   */
  members: AuthorizationDetailFields;
}

export type AuthorizationDetailTypes = Readonly<Record<string, AuthorizationDetailType>>;

/**
 * Reads the details that a client requests, of types that it may use (RFC 9396, sections 2 and 5).
 */
export function readAuthorizationDetails(
  text: string | undefined,
  types: AuthorizationDetailTypes,
  allowed: readonly string[],
): AuthorizationDetail[] | undefined {
  if (text === undefined) return undefined;
  return parseList(text).map((detail) => checkDetail(detail, types, allowed));
}

/** Narrows the granted details. None can be changed or widened (RFC 9396, section 6). */
export function narrowAuthorizationDetails(
  text: string | undefined,
  granted: readonly AuthorizationDetail[] | undefined,
): AuthorizationDetail[] | undefined {
  if (text === undefined) return granted && [...granted];
  const grantedByText = new Map(granted?.map((detail) => [canonicalJson(detail), detail]));
  return parseList(text).map((requested) => {
    const detail = grantedByText.get(canonicalJson(requested));
    if (detail) return detail;
    throw invalidAuthorizationDetails(
      "Each of the authorization_details must be identical to one that was granted.",
    );
  });
}

/** Returns the details that have one of the given types. */
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

function parseList(text: string): unknown[] {
  const list = parseJson(text);
  if (!Array.isArray(list) || list.length === 0) {
    throw invalidAuthorizationDetails("The authorization_details must be a non-empty JSON array.");
  }
  if (list.length > maxDetails) {
    throw invalidAuthorizationDetails(
      `The authorization_details have ${list.length} entries, more than ${maxDetails}.`,
    );
  }
  return list;
}

/** Checks one requested detail and returns it. */
function checkDetail(
  detail: unknown,
  types: AuthorizationDetailTypes,
  allowed: readonly string[],
): AuthorizationDetail {
  if (!isDetail(detail)) {
    throw invalidAuthorizationDetails(
      "Each of the authorization_details must be an object with a 'type'.",
    );
  }
  const { type, ...fields } = detail;
  const declared = ownMember(types, type);
  if (!declared) {
    throw invalidAuthorizationDetails(
      `The type '${type.slice(0, 64)}' is not known. Known types: ${
        Object.keys(types).join(", ")
      }.`,
    );
  }
  if (!allowed.includes(type)) {
    throw invalidAuthorizationDetails(
      `This client may not request authorization_details of the type '${type}'.`,
    );
  }
  checkFields(fields, declared.members, type);
  return detail;
}

function isDetail(value: unknown): value is AuthorizationDetail {
  return isObject(value) && typeof value.type === "string";
}

function checkFields(
  fields: Record<string, unknown>,
  declared: AuthorizationDetailFields,
  path: string,
): void {
  const expected = Object.entries(declared).map(([key, kind]) => ({
    name: key.replace(/\?$/, ""),
    isOptional: key.endsWith("?"),
    kind,
  }));
  const names = expected.map(({ name }) => name);
  const unknown = Object.keys(fields).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw invalidAuthorizationDetails(
      `The member '${unknown.slice(0, 64)}' of '${path}' is not known. Known members: ${
        names.join(", ")
      }.`,
    );
  }
  for (const { name, isOptional, kind } of expected) {
    if (Object.hasOwn(fields, name)) checkField(fields[name], kind, `${path}.${name}`);
    else if (!isOptional) {
      throw invalidAuthorizationDetails(`The member '${name}' of '${path}' is missing.`);
    }
  }
}

function checkField(value: unknown, kind: AuthorizationDetailField, path: string): void {
  if (typeof kind === "string") {
    const { matches, description } = simpleKinds[kind];
    if (matches(value)) return;
    throw invalidAuthorizationDetails(`The member '${path}' must be ${description}.`);
  }
  if (!isObject(value)) {
    throw invalidAuthorizationDetails(`The member '${path}' must be an object.`);
  }
  checkFields(value, kind, path);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && [...value].length <= maxTextLength && isReadable(value);
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}
