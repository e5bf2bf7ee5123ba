export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/**
 * Returns the messages and codes of an error and its causes. Runtimes often report what happened
 * only at the end of the chain. Removes the query strings of URLs, which may contain secrets.
 */
export function messagesOf(cause: unknown): string {
  const messages: string[] = [];
  for (const error of causeChain(cause)) {
    const message = messageWithCode(error);
    if (message !== "" && !messages.some((earlier) => earlier.includes(message))) {
      messages.push(message);
    }
  }
  const text = messages.join(": ").replaceAll(".: ", ": ");
  return text.replace(/(https?:\/\/[^\s?#]*)[?#][^\s)'"]*/g, "$1");
}

/** Whether an error has a code of the operating system or the runtime: `"ENOENT"`. */
export function hasErrorCode(cause: unknown, code: string): boolean {
  return codeOf(cause) === code;
}

function causeChain(cause: unknown): unknown[] {
  const chain = new Set<unknown>();
  let next = cause;
  while (next !== undefined && !chain.has(next)) {
    chain.add(next);
    next = next instanceof Error ? next.cause : undefined;
  }
  return [...chain];
}

function messageWithCode(error: unknown): string {
  const message = messageOf(error);
  const code = codeOf(error);
  return message.includes(code) ? message : `${code} ${message}`.trim();
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
