import type { AuthorizationDetail } from "../model/access_rights.ts";
import { isObject, parseJson } from "../util/json.ts";
import { isReadable } from "../util/readable_text.ts";
import { errorFactory } from "./oauth_error.ts";

const invalidAuthorizationDetails = errorFactory(
  "invalid_authorization_details",
  "RFC 9396, section 5",
);

/** What a member holds: a text, texts, a number, true or false, or members of its own. */
export type AuthorizationDetailField =
  | "text"
  | "texts"
  | "number"
  | "flag"
  | AuthorizationDetailFields;

/** The members of a type of details, and no others; the name of an optional one ends with a question mark. */
export interface AuthorizationDetailFields {
  [name: string]: AuthorizationDetailField;
}

/** A type of details. */
export interface AuthorizationDetailType {
  /** What it means to the person who is asked. */
  meaning: string;
  members: AuthorizationDetailFields;
}

export type AuthorizationDetailTypes = Readonly<Record<string, AuthorizationDetailType>>;

const maxDetails = 20;

/** Reads the details that a client asks for, of types that it may use (RFC 9396, sections 2 and 5). */
export function readAuthorizationDetails(
  text: string | undefined,
  types: AuthorizationDetailTypes,
  allowed: readonly string[],
): AuthorizationDetail[] | undefined {
  if (text === undefined) return undefined;
  const list = parseList(text);
  for (const detail of list) checkDetail(detail, types, allowed);
  return list as AuthorizationDetail[];
}

/** Narrows to some of the details that were granted, each of them as it was; nothing can change or widen one (RFC 9396, section 6). */
export function narrowAuthorizationDetails(
  text: string | undefined,
  granted: readonly AuthorizationDetail[] | undefined,
): AuthorizationDetail[] | undefined {
  if (text === undefined) return granted && [...granted];
  const wanted = parseList(text);
  const known = new Map((granted ?? []).map((detail) => [canonical(detail), detail]));
  const found = wanted.map((detail) => known.get(canonical(detail)));
  if (found.every((detail) => detail !== undefined)) return found;
  throw invalidAuthorizationDetails(
    "One of the authorization_details was not part of what was granted, member by member.",
  );
}

/** Those of a list that a client may still have. */
export function detailsOfTypes(
  details: readonly AuthorizationDetail[] | undefined,
  types: readonly string[],
): AuthorizationDetail[] | undefined {
  return details?.filter(({ type }) => types.includes(type));
}

/**
 * A member of a detail as a person reads it. The entries of a list stay apart: joined, one of them
 * could pass for two.
 */
export interface DescribedField {
  name: string;
  values: string[];
}

/** The members of a detail as a person reads them: by name, those of an object one by one. */
export function describeFields(members: object, before = ""): DescribedField[] {
  return Object.entries(members).flatMap(([name, value]) => {
    const path = `${before}${name}`;
    if (isObject(value)) return describeFields(value, `${path}.`);
    return { name: path, values: [value].flat().map(String) };
  });
}

/** The names of a type's own members, whether they may be left out or not. */
function shapesOf(
  members: AuthorizationDetailFields,
): Array<{ name: string; isOptional: boolean; shape: AuthorizationDetailField }> {
  return Object.entries(members).map(([key, shape]) => ({
    name: key.replace(/\?$/, ""),
    isOptional: key.endsWith("?"),
    shape,
  }));
}

function parseList(text: string): unknown[] {
  const list = parseJson(text);
  if (!Array.isArray(list) || list.length === 0) {
    throw invalidAuthorizationDetails(
      "The authorization_details must be a JSON array that is not empty.",
    );
  }
  if (list.length > maxDetails) {
    throw invalidAuthorizationDetails(`There are more than ${maxDetails} authorization_details.`);
  }
  return list;
}

function checkDetail(
  detail: unknown,
  types: AuthorizationDetailTypes,
  allowed: readonly string[],
): void {
  if (!isObject(detail) || typeof detail.type !== "string") {
    throw invalidAuthorizationDetails(
      "Each of the authorization_details is an object with a 'type'.",
    );
  }
  const { type, ...members } = detail;
  if (!Object.hasOwn(types, type as string)) {
    throw invalidAuthorizationDetails(
      `The type '${(type as string).slice(0, 64)}' is not known here; known are: ${
        Object.keys(types).join(", ")
      }.`,
    );
  }
  if (!allowed.includes(type as string)) {
    throw invalidAuthorizationDetails(
      `This client may not ask for authorization_details of the type '${type}'.`,
    );
  }
  checkMembers(members, types[type as string].members, type as string);
}

function checkMembers(
  members: Record<string, unknown>,
  declared: AuthorizationDetailFields,
  path: string,
): void {
  const shapes = shapesOf(declared);
  const names = shapes.map(({ name }) => name);
  const unknown = Object.keys(members).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw invalidAuthorizationDetails(
      `The member '${unknown.slice(0, 64)}' of '${path}' is not known; known are: ${
        names.join(", ")
      }.`,
    );
  }
  for (const { name, isOptional, shape } of shapes) {
    if (Object.hasOwn(members, name)) checkMember(members[name], shape, `${path}.${name}`);
    else if (!isOptional) {
      throw invalidAuthorizationDetails(`The member '${name}' of '${path}' is missing.`);
    }
  }
}

function checkMember(value: unknown, shape: AuthorizationDetailField, path: string): void {
  if (typeof shape === "string") {
    if (!fieldChecks[shape].holds(value)) {
      throw invalidAuthorizationDetails(
        `The member '${path}' must be ${fieldChecks[shape].words}.`,
      );
    }
    return;
  }
  if (!isObject(value)) {
    throw invalidAuthorizationDetails(`The member '${path}' must be an object.`);
  }
  checkMembers(value, shape, path);
}

const maxTextLength = 1000;

const isText = (value: unknown) =>
  typeof value === "string" && [...value].length <= maxTextLength && isReadable(value);

const fieldChecks: Record<
  Exclude<AuthorizationDetailField, object>,
  { holds: (value: unknown) => boolean; words: string }
> = {
  text: { holds: isText, words: `a text of up to ${maxTextLength} visible characters` },
  texts: {
    holds: (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
    words: "a list of such texts",
  },
  number: {
    holds: (value) => typeof value === "number" && Number.isFinite(value),
    words: "a number",
  },
  flag: { holds: (value) => typeof value === "boolean", words: "true or false" },
};

/** The kinds of members, for whoever declares types. */
export const fieldKinds = Object.keys(fieldChecks);

/** The same text for the same value: the order of the members of an object means nothing. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort().map((name) =>
    `${JSON.stringify(name)}:${canonical(value[name])}`
  );
  return `{${members.join()}}`;
}
