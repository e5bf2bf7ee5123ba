import type { FormParameters } from "./form_parameters.ts";

/** What a client finds at its redirect URI: a code, or the reason why there is none (OAuth 2.1, sections 4.1.2 and 4.1.2.1). */
export type Callback =
  | { hasError: false; code: string; state?: string; issuer?: string }
  | { hasError: true; error: string; errorDescription?: string; state?: string; issuer?: string };

/** Reads an authorization response the way a careful client should: nothing twice, and exactly one of code and error. */
export function readCallback(parameters: FormParameters): Callback {
  const state = parameters.get("state");
  const issuer = parameters.get("iss");
  const code = parameters.get("code");
  const error = parameters.get("error");
  const problem = callbackProblem(parameters, code, error);
  if (problem) {
    return { hasError: true, error: "invalid_request", errorDescription: problem, state, issuer };
  }
  if (error !== undefined) {
    return {
      hasError: true,
      error,
      errorDescription: parameters.get("error_description"),
      state,
      issuer,
    };
  }
  return { hasError: false, code: code!, state, issuer };
}

function callbackProblem(
  parameters: FormParameters,
  code: string | undefined,
  error: string | undefined,
): string | undefined {
  const [repeated] = parameters.repeated;
  if (repeated !== undefined) return `The parameter '${repeated}' came more than once.`;
  if (parameters.get("response") !== undefined) {
    return "A signed response came back, as response_mode=jwt asks for; this page reads responses in the open.";
  }
  if (code !== undefined && error !== undefined) {
    return "Both a code and an error came back; a response holds exactly one of them.";
  }
  if (code === undefined && error === undefined) {
    return "Neither a code nor an error came back; this page expects one of them.";
  }
  return undefined;
}
