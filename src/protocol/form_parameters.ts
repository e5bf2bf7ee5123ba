import { errorFactory } from "./oauth_error.ts";

const invalidRequest = errorFactory("invalid_request");

const kilobyte = 1024;
const maxParameters = 256;
const maxValueLength = 16 * kilobyte;

/** What most names and values lack: something to decode. */
const encoded = /[%+]/;

/** Parameters that may be repeated (RFC 8707, section 2; RFC 8693, section 2.1). */
const repeatableParameters = ["resource", "audience"];

/**
 * Limits for the parameters that are stored while the user signs in. Anyone can send them, so one
 * request must not make us store much. A repeated parameter counts as a whole.
 */
const maxLengths: Readonly<Record<string, number>> = {
  redirect_uri: 2 * kilobyte,
  post_logout_redirect_uri: 2 * kilobyte,
  state: 2 * kilobyte,
  nonce: 1 * kilobyte,
  login_hint: 1 * kilobyte,
  acr_values: 1 * kilobyte,
  ui_locales: 1 * kilobyte,
  claims_locales: 1 * kilobyte,
  scope: 4 * kilobyte,
  resource: 4 * kilobyte,
  audience: 4 * kilobyte,
  claims: 8 * kilobyte,
  authorization_details: 8 * kilobyte,
};

/** The parameters of a request. An empty value counts as missing (OAuth 2.1, section 3.1). */
export interface FormParameters {
  /** Returns the value, or the first one of a repeated parameter. */
  get(name: string): string | undefined;
  /** Returns every value of a parameter that may be repeated. */
  all(name: string): string[];
  /** Names that were sent more than once, empty values included. */
  readonly repeated: ReadonlySet<string>;
}

/** Parses `application/x-www-form-urlencoded`. Malformed input is refused, never repaired. */
export function parseParameters(text: string): FormParameters {
  const pieces = text.split("&", maxParameters + 1);
  if (pieces.length > maxParameters) {
    throw invalidRequest(`The request has more than ${maxParameters} parameters.`);
  }
  return toParameters(pieces.filter((piece) => piece !== "").map(parsePiece));
}

/** Makes parameters from names and values that were not form-encoded. */
export function toParameters(
  pieces: ReadonlyArray<readonly [name: string, value: string]>,
): FormParameters {
  const values = new Map<string, string[]>();
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name, value] of pieces) {
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
    if (value === "") continue;
    const others = values.get(name);
    if (others) others.push(value);
    else values.set(name, [value]);
  }
  return {
    get: (name) => values.get(name)?.[0],
    all: (name) => values.get(name) ?? [],
    repeated,
  };
}

function parsePiece(piece: string): [name: string, value: string] {
  const equals = piece.indexOf("=");
  if (equals < 0) return [decodeComponent(piece), ""];
  return [decodeComponent(piece.slice(0, equals)), decodeComponent(piece.slice(equals + 1))];
}

function decodeComponent(text: string): string {
  const decoded = decodeForm(text);
  if (decoded === undefined) {
    throw invalidRequest(
      "The parameters must be percent-encoded UTF-8 without null characters.",
    );
  }
  if (decoded.length > maxValueLength) {
    throw invalidRequest(`A parameter is longer than ${maxValueLength} characters.`);
  }
  return decoded;
}

/** Decodes one form-encoded name or value. Returns undefined if it is malformed. */
export function decodeForm(text: string): string | undefined {
  try {
    const decoded = encoded.test(text) ? decodeURIComponent(text.replaceAll("+", " ")) : text;
    return decoded.includes("\0") ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** Checks that no parameter, or none of `names`, was repeated (OAuth 2.1, section 3.1). */
export function checkRepeatedParameters(
  parameters: FormParameters,
  names?: readonly string[],
): void {
  const mustBeUnique = (name: string) =>
    names ? names.includes(name) : !repeatableParameters.includes(name);
  const repeated = [...parameters.repeated].find(mustBeUnique);
  if (repeated === undefined) return;
  throw invalidRequest(`The parameter '${repeated.slice(0, 64)}' was sent more than once.`, {
    see: "OAuth 2.1, section 3.1",
  });
}

/** Checks that no stored parameter is too long. With `names`, checks only those. */
export function checkParameterLengths(
  parameters: FormParameters,
  names: readonly string[] = Object.keys(maxLengths),
): void {
  for (const name of names) {
    const maxLength = maxLengths[name] ?? maxValueLength;
    const length = parameters.all(name).reduce((sum, value) => sum + value.length, 0);
    if (length <= maxLength) continue;
    throw invalidRequest(`The parameter '${name}' is longer than ${maxLength} characters.`);
  }
}

/** Returns the value of a required parameter. */
export function requireParameter(parameters: FormParameters, name: string, see: string): string {
  const value = parameters.get(name);
  if (value === undefined) {
    throw invalidRequest(`The parameter '${name}' is missing.`, { see });
  }
  return value;
}
