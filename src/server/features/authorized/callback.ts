import type { FormParameters } from "../../protocol/form_parameters.ts";

/** What a client receives: a code or an error (OAuth 2.1, sections 4.1.2 and 4.1.2.1). */
export type Callback =
  | CallbackContext & { hasError: false; code: string }
  | CallbackError;

export interface CallbackError extends CallbackContext {
  hasError: true;
  error: string;
  errorDescription?: string | undefined;
  /** Whether no response came at all: a browser opened the page by itself. */
  isAbsent?: boolean;
}

interface CallbackContext {
  state?: string | undefined;
  issuer?: string | undefined;
}

/** Reads an authorization response as a careful client should. */
export function readCallback(parameters: FormParameters): Callback {
  const context = { state: parameters.get("state"), issuer: parameters.get("iss") };
  const [code, error] = [parameters.get("code"), parameters.get("error")];
  const [repeated] = parameters.repeated;
  if (repeated !== undefined) {
    return invalidCallback(`The parameter '${repeated}' was sent more than once.`, context);
  }
  if (parameters.get("response") !== undefined) {
    return invalidCallback(
      "The response is signed, because of response_mode=jwt. This page reads plain responses only.",
      context,
    );
  }
  if (code !== undefined && error !== undefined) {
    return invalidCallback("The response contains both a code and an error.", context);
  }
  if (code !== undefined) return { hasError: false, code, ...context };
  if (error === undefined) {
    const isAbsent = Object.values(context).every((value) => value === undefined);
    const invalid = invalidCallback("The response contains neither a code nor an error.", context);
    return { ...invalid, isAbsent };
  }
  const errorDescription = parameters.get("error_description");
  return { hasError: true, error, errorDescription, ...context };
}

/**
 * Replaces a response of another issuer with an error: it may be a mix-up attack (RFC 9207, section
 * 2.4).
 */
export function rejectOtherIssuer(callback: Callback, issuer: string): Callback {
  if (callback.issuer === issuer) return callback;
  const received = callback.issuer === undefined ? "names none" : `names '${callback.issuer}'`;
  return {
    hasError: true,
    error: "invalid_request",
    errorDescription: `The response must name the issuer '${issuer}', but ${received}.`,
    state: callback.state,
  };
}

function invalidCallback(errorDescription: string, context: CallbackContext): CallbackError {
  return { hasError: true, error: "invalid_request", errorDescription, ...context };
}
