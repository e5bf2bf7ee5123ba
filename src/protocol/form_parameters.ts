import { knownParameter } from "./parameter_names.ts";
import type { ApplyRule, Rule } from "./rule.ts";

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

const parametersAreFew: Rule<number> = {
  id: "form.count",
  title: `The request has at most ${maxParameters} parameters`,
  see: "OAuth 2.1, section 3.1",
  error: "invalid_request",
  message: `The request has more than ${maxParameters} parameters.`,
  advice: "Send only the parameters that the request needs.",
  holds: (count) => count <= maxParameters,
};

const parametersAreEncoded: Rule<ReadonlyArray<string | undefined>> = {
  id: "form.encoding",
  title: "The parameters are percent-encoded UTF-8",
  see: "OAuth 2.1, appendix B",
  error: "invalid_request",
  message: "The parameters must be percent-encoded UTF-8 without null characters.",
  advice: "Encode the parameters with a library, such as URLSearchParams.",
  holds: (decoded) => !decoded.includes(undefined),
};

const parametersAreShort: Rule<ReadonlyArray<string | undefined>> = {
  id: "form.length",
  title: `No parameter is longer than ${maxValueLength} characters`,
  see: "OAuth 2.1, section 3.1",
  error: "invalid_request",
  message: `A parameter is longer than ${maxValueLength} characters.`,
  advice: "Send shorter values.",
  holds: (decoded) => decoded.every((text = "") => text.length <= maxValueLength),
};

const parametersAreUnique: Rule<{ repeated: string | undefined }> = {
  id: "form.unique",
  title: "No parameter is sent more than once",
  see: "OAuth 2.1, section 3.1",
  parameterIn: ({ repeated = "" }) => knownParameter(repeated),
  error: "invalid_request",
  message: ({ repeated = "" }) => {
    const name = knownParameter(repeated);
    const subject = name === undefined ? "A parameter" : `The parameter '${name}'`;
    return `${subject} was sent more than once.`;
  },
  advice: "Send each parameter once.",
  holds: ({ repeated }) => repeated === undefined,
  came: ({ repeated }) =>
    repeated === undefined ? "each parameter once" : `'${repeated}' more than once`,
};

/** A parameter that is stored, how long it is, and how long it may be, in characters. */
interface MeasuredParameter {
  name: string;
  length: number;
  maxLength: number;
}

const parametersFit: Rule<MeasuredParameter | undefined> = {
  id: "form.stored_length",
  title: "No stored parameter is too long",
  see: "OAuth 2.1, section 3.1",
  error: "invalid_request",
  parameterIn: (long) => long?.name,
  message: (long) => `The parameter '${long?.name}' is longer than ${long?.maxLength} characters.`,
  advice: "Send a shorter value.",
  holds: (long) => long === undefined,
};

/** Parses `application/x-www-form-urlencoded`. Malformed input is refused, never repaired. */
export function parseParameters(apply: ApplyRule, text: string): FormParameters {
  const pieces = text.split("&", maxParameters + 1);
  apply(parametersAreFew, pieces.length);
  const decoded = pieces.filter((piece) => piece !== "").flatMap(splitPiece).map(decodeForm);
  apply(parametersAreEncoded, decoded);
  apply(parametersAreShort, decoded);
  return toParameters(pairsOf(decoded));
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

function splitPiece(piece: string): [name: string, value: string] {
  const equals = piece.indexOf("=");
  return equals < 0 ? [piece, ""] : [piece.slice(0, equals), piece.slice(equals + 1)];
}

/** Returns names and values that come in turn. */
function pairsOf(texts: ReadonlyArray<string | undefined>): Array<[name: string, value: string]> {
  const pairs: Array<[string, string]> = [];
  for (let at = 0; at < texts.length; at += 2) pairs.push([texts[at] ?? "", texts[at + 1] ?? ""]);
  return pairs;
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
  apply: ApplyRule,
  parameters: FormParameters,
  names?: readonly string[],
): void {
  const mustBeUnique = (name: string) =>
    names ? names.includes(name) : !repeatableParameters.includes(name);
  apply(parametersAreUnique, { repeated: [...parameters.repeated].find(mustBeUnique) });
}

/** Checks that no stored parameter is too long. With `names`, checks only those. */
export function checkParameterLengths(
  apply: ApplyRule,
  parameters: FormParameters,
  names: readonly string[] = Object.keys(maxLengths),
): void {
  apply(
    parametersFit,
    names.map((name) => measure(parameters, name)).find(({ length, maxLength }) =>
      length > maxLength
    ),
  );
}

function measure(parameters: FormParameters, name: string): MeasuredParameter {
  const length = parameters.all(name).reduce((sum, value) => sum + value.length, 0);
  return { name, length, maxLength: maxLengths[name] ?? maxValueLength };
}

/** A required parameter, and the section that requires it. */
export interface RequiredParameter {
  parameter: string;
  see: string;
  advice?: string;
}

/** Creates the rule that a request has a parameter. */
export function presenceRule(
  { parameter, see, advice = `Send the parameter '${parameter}'.` }: RequiredParameter,
): Rule<string | undefined> {
  return {
    id: `${parameter}.present`,
    title: `The request has the parameter '${parameter}'`,
    see,
    parameter,
    error: "invalid_request",
    message: `The parameter '${parameter}' is missing.`,
    advice,
    holds: (value) => value !== undefined,
  };
}
