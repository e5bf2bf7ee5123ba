import type { ResponseTarget } from "./authorization_response.ts";

/** A failure that the client is told of by redirect, because its redirect URI is already trusted (RFC 6749, section 4.1.2.1). */
export class RedirectedError extends Error {
  override readonly name = "RedirectedError";
  readonly replyTo: ResponseTarget;
  /** Whether the client was sent a response before. It may have been lost on the way, so the person gets a link, and no redirect. */
  readonly wasAnswered: boolean;

  constructor(responseTarget: ResponseTarget, cause: unknown, wasAnswered = false) {
    super("The authorization request failed.", { cause });
    this.replyTo = responseTarget;
    this.wasAnswered = wasAnswered;
  }
}

/** Runs `act`; whatever it throws goes to the client. Where no redirect URI takes the answer, it stays what it is. */
export async function redirectErrorsTo<T>(
  responseTarget: ResponseTarget | undefined,
  act: () => T | Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    throw !responseTarget || cause instanceof RedirectedError
      ? cause
      : new RedirectedError(responseTarget, cause);
  }
}
