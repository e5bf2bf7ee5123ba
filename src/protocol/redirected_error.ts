import type { ReplyTo } from "./reply.ts";

/** A failure that the client is told of by redirect, because its redirect URI is already trusted (RFC 6749, section 4.1.2.1). */
export class RedirectedError extends Error {
  override readonly name = "RedirectedError";
  readonly replyTo: ReplyTo;
  /** Whether the client was sent a response before. It may have been lost on the way, so the person gets a link, and no redirect. */
  readonly wasAnswered: boolean;

  constructor(replyTo: ReplyTo, cause: unknown, wasAnswered = false) {
    super("The authorization request failed.", { cause });
    this.replyTo = replyTo;
    this.wasAnswered = wasAnswered;
  }
}

/** Runs `act`; whatever it throws goes to the client. Where no redirect URI takes the answer, it stays what it is. */
export async function replyingTo<T>(replyTo: ReplyTo | undefined, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    throw !replyTo || cause instanceof RedirectedError ? cause : new RedirectedError(replyTo, cause);
  }
}
