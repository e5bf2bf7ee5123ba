import type { FormParameters } from "../../protocol/form_parameters.ts";

const noResponse = "The response contains neither a code nor an error.";
const signedResponse =
  "The response is signed, because of response_mode=jwt. This page reads plain responses only.";

/** What a client receives: a code or an error (OAuth 2.1, sections 4.1.2 and 4.1.2.1). */
export interface Callback {
  /** Whether the authorization failed. */
  hasError: boolean;
  /** The error code, or an empty string. */
  error: string;
  /** The description of the error. */
  errorDescription?: string | undefined;
  /** Whether no response came at all: a browser opened the page by itself. It has an error, too. */
  isAbsent?: boolean | undefined;
  /** The authorization code, or an empty string. */
  code: string;
  /** The `state` of the response. */
  state?: string | undefined;
  /** The `iss` of the response. */
  issuer?: string | undefined;
}

/** Reads an authorization response as a careful client should. */
export function readCallback(parameters: FormParameters): Callback {
  const { get } = parameters;
  const [code = "", error = "", state, issuer] = ["code", "error", "state", "iss"].map(get);
  const problem = callbackProblem(parameters);
  if (problem !== undefined) {
    const isAbsent = problem === noResponse && (state ?? issuer) === undefined;
    return { ...invalidCallback(problem), state, issuer, isAbsent };
  }
  const errorDescription = get("error_description");
  return { hasError: code === "", error, errorDescription, code, state, issuer };
}

/**
 * Replaces a response of another issuer with an error: it may be a mix-up attack (RFC 9207, section
 * 2.4).
 */
export function rejectOtherIssuer(callback: Callback, issuer: string): Callback {
  if (callback.issuer === issuer) return callback;
  const received = callback.issuer === undefined ? "names none" : `names '${callback.issuer}'`;
  const problem = `The response must name the issuer '${issuer}', but ${received}.`;
  return { ...invalidCallback(problem), state: callback.state };
}

export function invalidCallback(errorDescription: string): Callback {
  return { hasError: true, error: "invalid_request", errorDescription, code: "" };
}

function callbackProblem({ get, repeated }: FormParameters): string | undefined {
  const [name] = repeated;
  if (name !== undefined) return `The parameter '${name}' was sent more than once.`;
  if (get("response") !== undefined) return signedResponse;
  const [code, error] = [get("code"), get("error")];
  if (code === undefined && error === undefined) return noResponse;
  return code === undefined || error === undefined
    ? undefined
    : "The response contains both a code and an error.";
}
