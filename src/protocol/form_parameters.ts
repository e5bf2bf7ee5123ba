import { errorFactory } from "./oauth_error.ts";

const invalidRequest = errorFactory("invalid_request");

/** The parameters of a request. An empty value counts as none (OAuth 2.1, section 3.1). */
export interface FormParameters {
  /** The value, or the first one where a parameter may be repeated. */
  get(name: string): string | undefined;
  all(name: string): string[];
  /** Names that were sent more than once, empty values included. */
  readonly repeated: ReadonlySet<string>;
}

const maxParameters = 256;
const maxValueLength = 16 * 1024;

/** Reads form encoding. What a lenient parser would mend by guessing is refused. */
export function parseParameters(text: string): FormParameters {
  const pieces = text.split("&", maxParameters + 1);
  if (pieces.length > maxParameters) {
    throw invalidRequest(`There are more than ${maxParameters} parameters.`);
  }
  return toParameters(pieces.filter((piece) => piece !== "").map(readPiece));
}

/** Parameters that came in another form than form encoding. */
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

function readPiece(piece: string): [name: string, value: string] {
  const equals = piece.indexOf("=");
  const [name, value] = equals < 0
    ? [piece, ""]
    : [piece.slice(0, equals), piece.slice(equals + 1)];
  return [decodeComponent(name), decodeComponent(value)];
}

function decodeComponent(text: string): string {
  const decoded = decodeForm(text);
  if (decoded !== undefined && decoded.length <= maxValueLength) return decoded;
  if (decoded !== undefined) {
    throw invalidRequest(`A parameter is longer than ${maxValueLength} characters.`);
  }
  throw invalidRequest(
    "The parameters are not valid percent-encoded UTF-8 without null characters.",
  );
}

/** Undoes `application/x-www-form-urlencoded` of one name or value, if it is well-formed. */
export function decodeForm(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll("+", " "));
    return decoded.includes("\0") ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** Parameters that an extension allows to be sent more than once (RFC 8707, section 2; RFC 8693, section 2.1). */
const repeatable = ["resource", "audience"];

/** Nothing else may be sent twice (OAuth 2.1, section 3.1); where names are given, only they are looked at. */
export function checkRepeats(parameters: FormParameters, among?: readonly string[]): void {
  const name = [...parameters.repeated].find((each) =>
    among ? among.includes(each) : !repeatable.includes(each)
  );
  if (name === undefined) return;
  throw invalidRequest(`The parameter '${name.slice(0, 64)}' was sent more than once.`, {
    see: "OAuth 2.1, section 3.1",
  });
}

/** Reads a parameter that must be there. */
export function required(parameters: FormParameters, name: string, see: string): string {
  const value = parameters.get(name);
  if (value === undefined) {
    throw invalidRequest(`The parameter '${name}' is missing.`, { see });
  }
  return value;
}
