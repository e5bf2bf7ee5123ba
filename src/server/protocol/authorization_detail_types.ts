import type { AuthorizationDetail } from "../model/access_token.ts";
import { isObject } from "../util/text/json.ts";
import { isReadable, type LocalizedText } from "../util/text/user_text.ts";
import { ownMember } from "../util/values/members.ts";

const maxTextLength = 1000;

const simpleKinds: Record<
  Exclude<AuthorizationDetailField, object>,
  { matches: (value: unknown) => boolean; description: string }
> = {
  text: { matches: isText, description: `a string of up to ${maxTextLength} visible characters` },
  texts: { matches: isTextList, description: "a list of such strings" },
  number: { matches: (value) => Number.isFinite(value), description: "a number" },
  flag: { matches: (value) => typeof value === "boolean", description: "true or false" },
};

/**
 * What one field holds: `text` is a string of up to 1,000 characters, `texts` a list of such
 * strings with at least one, `number` a number, and `flag` true or false. An object is an object
 * with these fields.
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
  /** The text on the consent page, as in a scope. */
  meaning: LocalizedText;
  /**
   * The members that a request may have: a `text` is a string of up to 1,000 characters, `texts` is
   * a list of at least one, a `number` is a number, a `flag` is true or false. The name of an
   * optional one ends with a question mark: `{ "amount": { "value": "number", "currency": "text" },
   * "note?": "text" }`.
   */
  members: AuthorizationDetailFields;
}

export type AuthorizationDetailTypes = Readonly<Record<string, AuthorizationDetailType>>;

/** Returns why a detail is invalid, or undefined. */
export function detailProblem(
  detail: AuthorizationDetail | undefined,
  types: AuthorizationDetailTypes,
): string | undefined {
  if (!detail) return "Each of the authorization_details must be an object with a 'type'.";
  const { type, ...fields } = detail;
  const declared = ownMember(types, type);
  if (declared) return fieldsProblem(fields, declared.members, type);
  return `The type of authorization_details is not known. Known types: ${
    Object.keys(types).join(", ")
  }.`;
}

export function isDetail(value: unknown): value is AuthorizationDetail {
  return isObject(value) && typeof value.type === "string";
}

/** Returns why the members of an object are not the declared ones, or undefined. */
function fieldsProblem(
  fields: Record<string, unknown>,
  declared: AuthorizationDetailFields,
  path: string,
): string | undefined {
  const expected = Object.entries(declared).map(([key, kind]) => ({
    name: key.replace(/\?$/, ""),
    isOptional: key.endsWith("?"),
    kind,
  }));
  const names = expected.map(({ name }) => name);
  if (Object.keys(fields).some((name) => !names.includes(name))) {
    return `'${path}' has an unknown member. Known members: ${names.join(", ")}.`;
  }
  const problems = expected.map(({ name, isOptional, kind }) => {
    if (Object.hasOwn(fields, name)) return fieldProblem(fields[name], kind, `${path}.${name}`);
    return isOptional ? undefined : `The member '${name}' of '${path}' is missing.`;
  });
  return problems.find((problem) => problem !== undefined);
}

function fieldProblem(
  value: unknown,
  kind: AuthorizationDetailField,
  path: string,
): string | undefined {
  if (typeof kind === "string") {
    const { matches, description } = simpleKinds[kind];
    return matches(value) ? undefined : `The member '${path}' must be ${description}.`;
  }
  if (!isObject(value)) return `The member '${path}' must be an object.`;
  return fieldsProblem(value, kind, path);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && [...value].length <= maxTextLength && isReadable(value);
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}
