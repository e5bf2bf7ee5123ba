import { absent, type ApplyRule, requirePresent, ruleSet } from "./rule.ts";

const kilobyte = 1024;

export const maxParameters = 256;

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

const storedParameters = Object.keys(maxLengths);

/** The parameters of the core, and of several features. A feature names the others that it has. */
export const coreParameters: ReadonlySet<string> = new Set([
  "access_token",
  "acr_values",
  "audience",
  "authorization_details",
  "claims",
  "claims_locales",
  "client_assertion",
  "client_assertion_type",
  "client_id",
  "client_secret",
  "code",
  "code_challenge",
  "code_challenge_method",
  "code_verifier",
  "display",
  "dpop_jkt",
  "error",
  "error_description",
  "grant_type",
  "id_token_hint",
  "iss",
  "login_hint",
  "max_age",
  "nonce",
  "prompt",
  "redirect_uri",
  "refresh_token",
  "registration",
  "request",
  "request_uri",
  "resource",
  "response",
  "response_mode",
  "response_type",
  "scope",
  "state",
  "token",
  "token_type_hint",
  "ui_locales",
]);

/** The parameters of a request. An empty value counts as missing (OAuth 2.1, section 3.1). */
export interface FormParameters {
  /** Returns the value, or the first one of a repeated parameter. */
  get(name: string): string | undefined;
  /** Returns every value of a parameter that may be repeated. */
  all(name: string): string[];
  /** Names that were sent more than once, empty values included. */
  readonly repeated: ReadonlySet<string>;
}

/** A parameter that was sent more than once. */
interface RepeatedParameter {
  name: string;
  /** Whether requests may have it. Any other name may be a secret in the wrong place. */
  isKnown: boolean;
}

const about = { see: "OAuth 2.1, section 3.1", error: "invalid_request" } as const;

export const formRules = ruleSet("form", about, {
  count: {
    title: `The request must have at most ${maxParameters} parameters`,
    holds: (count: number) => count <= maxParameters,
  },
  encoding: {
    see: "OAuth 2.1, appendix B",
    title: "The parameters must be percent-encoded UTF-8 without null characters",
    fix: "Encode the parameters with a library, such as URLSearchParams.",
  },
  length: {
    title: `Each parameter must have at most ${maxValueLength} characters`,
    holds: (pairs: ReadonlyArray<readonly [name: string, value: string]>) =>
      pairs.every(([name, value]) =>
        name.length <= maxValueLength && value.length <= maxValueLength
      ),
  },
  unique: {
    title: "Each parameter must be sent only once",
    ...absent,
    parameterIn: (repeated: RepeatedParameter | undefined) =>
      repeated?.isKnown ? repeated.name : undefined,
    message: (repeated) => {
      const subject = repeated?.isKnown ? `The parameter '${repeated.name}'` : "Each parameter";
      return `${subject} must be sent only once.`;
    },
    received: (repeated) => repeated ? `'${repeated.name}' more than once` : "each parameter once",
  },
  stored_length: {
    title: "A parameter that is stored must not be too long",
    ...absent,
    parameterIn: (long: { name: string; maxLength: number } | undefined) => long?.name,
    message: (long) =>
      `The parameter '${long?.name}' must have at most ${long?.maxLength} characters.`,
  },
  token: {
    see: "RFC 9700, section 4.7",
    parameter: "form_token",
    title: "The form must have been made for this browser and page",
    // Users see it.
    message:
      "This form is outdated or was made for another browser. Go back, reload and try again.",
    details: { see: undefined, status: 403, isExpired: true },
    fix: "Load the page again, and send its form from the same browser.",
    holds: ({ isRight }: { isRight: boolean }) => isRight,
  },
});

/** Returns the text of a rule that requires a parameter. */
export function requiresParameter(parameter: string) {
  return { parameter, title: `The request must have the parameter '${parameter}'` };
}

/** Parses `application/x-www-form-urlencoded`. Malformed input is refused, never repaired. */
export function parseParameters(apply: ApplyRule, text: string): FormParameters {
  const pieces = text.split("&", maxParameters + 1);
  apply(formRules.count, pieces.length);
  const pairs = requirePresent(apply, formRules.encoding, decodePairs(pieces));
  apply(formRules.length, pairs);
  return toParameters(pairs);
}

/** Makes parameters from names and values that were not form-encoded. */
export function toParameters(
  pieces: ReadonlyArray<readonly [name: string, value: string]>,
): FormParameters {
  const values = new Map<string, string[]>();
  const repeated = new Set<string>();
  for (const [name, value] of pieces) {
    const given = values.get(name) ?? [];
    if (values.has(name)) repeated.add(name);
    if (value !== "") given.push(value);
    values.set(name, given);
  }
  return {
    get: (name) => values.get(name)?.[0],
    all: (name) => values.get(name) ?? [],
    repeated,
  };
}

/** Decodes one form-encoded name or value. Returns undefined if it is malformed. */
export function decodeForm(text: string): string | undefined {
  try {
    // Only saves time: a text without escapes decodes to itself.
    const decoded = encoded.test(text) ? decodeURIComponent(text.replaceAll("+", " ")) : text;
    return decoded.includes("\0") ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** Whether a request may have a parameter more than once. */
export function mayBeRepeated(name: string): boolean {
  return repeatableParameters.includes(name);
}

/**
 * Checks that no parameter, or none of `names`, was repeated (OAuth 2.1, section 3.1). The message
 * repeats only a name that is `known`.
 */
export function checkRepeatedParameters(
  apply: ApplyRule,
  parameters: FormParameters,
  { names, known = coreParameters }: {
    names?: readonly string[];
    known?: ReadonlySet<string>;
  } = {},
): void {
  const repeated = [...parameters.repeated];
  const name = repeated.find((each) => names?.includes(each) ?? !mayBeRepeated(each));
  apply(formRules.unique, name === undefined ? undefined : { name, isKnown: known.has(name) });
}

/** Checks that no stored parameter is too long. With `names`, checks only those. */
export function checkParameterLengths(
  apply: ApplyRule,
  parameters: FormParameters,
  names: readonly string[] = storedParameters,
): void {
  const lengthOf = (name: string) =>
    parameters.all(name).reduce((sum, { length }) => sum + length, 0);
  const maxOf = (name: string) => maxLengths[name] ?? maxValueLength;
  const long = names.find((name) => lengthOf(name) > maxOf(name));
  const facts = long === undefined ? undefined : { name: long, maxLength: maxOf(long) };
  apply(formRules.stored_length, facts);
}

/** Returns the decoded names and values, or undefined if one is malformed. */
function decodePairs(pieces: readonly string[]): Array<[name: string, value: string]> | undefined {
  const pairs: Array<[string, string]> = [];
  for (const piece of pieces) {
    if (piece === "") continue;
    const equals = piece.indexOf("=");
    const end = equals < 0 ? piece.length : equals;
    const name = decodeForm(piece.slice(0, end));
    const value = decodeForm(piece.slice(end + 1));
    if (name === undefined || value === undefined) return undefined;
    pairs.push([name, value]);
  }
  return pairs;
}
