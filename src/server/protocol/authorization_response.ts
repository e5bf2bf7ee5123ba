import type { ResponseTarget } from "./response_target.ts";

/** The parameters of an authorization response, in the order in which they are sent. */
export type ResponseParameters = Record<string, string | undefined>;

/**
 * Appends the response to the redirect URI and keeps its own query string (OAuth 2.1, section 2.3).
 * The URI is never parsed and rebuilt: a parser would change the bytes that the client registered.
 */
export function responseLocation(
  { redirectUri, mode }: Pick<ResponseTarget, "redirectUri" | "mode">,
  parameters: ResponseParameters,
): string {
  const response = Object.entries(parameters)
    .flatMap(([name, value]) => value === undefined ? [] : `${name}=${encodeURIComponent(value)}`)
    .join("&");
  if (mode === "fragment") return `${redirectUri}#${response}`;
  return `${redirectUri}${querySeparator(redirectUri)}${response}`;
}

/** A query may contain question marks of its own: only the first one begins it. */
function querySeparator(uri: string): string {
  if (!uri.includes("?")) return "?";
  return uri.indexOf("?") === uri.length - 1 || uri.endsWith("&") ? "" : "&";
}

/** An error that is redirected to the client (RFC 6749, section 4.1.2.1). */
export class RedirectedError extends Error {
  override readonly name = "RedirectedError";
  readonly responseTarget: ResponseTarget;
  /**
   * Whether the client was sent a response before. That one may have been lost, so the user gets a
   * link instead of a redirect.
   */
  readonly responseWasSent: boolean;

  constructor(responseTarget: ResponseTarget, cause: unknown, responseWasSent = false) {
    super("The authorization request failed.", { cause });
    this.responseTarget = responseTarget;
    this.responseWasSent = responseWasSent;
  }
}

/** Runs `action`, and redirects its errors to the client if there is a target. */
export async function redirectErrorsTo<T>(
  responseTarget: ResponseTarget | undefined,
  action: () => T | Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    if (!responseTarget || cause instanceof RedirectedError) throw cause;
    throw new RedirectedError(responseTarget, cause);
  }
}
