/** What anything that was thrown says. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/**
 * The message of an error and of everything that caused it, with their codes: runtimes often say
 * only at the end of the chain what happened. The query of a URL is left out; it may hold a secret.
 */
export function messagesOf(cause: unknown): string {
  const messages: string[] = [];
  for (const error of chainOf(cause)) {
    const message = withCode(error);
    if (message !== "" && !messages.some((earlier) => earlier.includes(message))) {
      messages.push(message);
    }
  }
  return messages.join(": ").replace(/(https?:\/\/[^\s?#]*)[?#][^\s)'"]*/g, "$1");
}

function chainOf(cause: unknown): unknown[] {
  const chain = new Set<unknown>();
  let next = cause;
  while (next !== undefined && !chain.has(next)) {
    chain.add(next);
    next = next instanceof Error ? next.cause : undefined;
  }
  return [...chain];
}

function withCode(error: unknown): string {
  const message = messageOf(error);
  const code = error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
  return message.includes(code) ? message : `${code} ${message}`.trim();
}
