import { absent, ruleSet } from "./rule.ts";

/** A parameter that was sent more than once. */
interface RepeatedParameter {
  name: string;
  /** Whether requests may have it. Any other name may be a secret in the wrong place. */
  isKnown: boolean;
}

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

export const kilobyte = 1024;

export const maxParameters = 256;

export const maxValueLength = 16 * kilobyte;

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
    parameterIn: (long: { name: string; length: number; maxLength: number } | undefined) =>
      long?.name,
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
