import type { ActiveFeatures } from "../../issuer/active_features.ts";

/** The longest text from outside that is logged, in characters. */
const maxLength = 200;

/** Text that may be a credential: long, and long enough not to be a word if it looks random. */
const suspicious = /[\w.~+=%-]{16,}/g;
/** A part of a text this long is neither a word nor a name, so it may be a credential. */
const maxWordLength = 32;
const looksRandom = /\d|[a-z][^/]*[A-Z]|[A-Z][^/]*[a-z]/;

/**
 * Makes a text from outside readable in a log: with the length of what looks like a credential, and
 * without those that features issue.
 */
export function readableText(
  text: string,
  { presented }: Pick<ActiveFeatures, "presented">,
): string {
  const printable = text.replace(/[^\x20-\x7e]/g, "?");
  const hidden = presented.reduce((text, { hideIn }) => hideIn?.(text) ?? text, printable);
  return hidden.replace(
    suspicious,
    (part) =>
      part.length >= maxWordLength || looksRandom.test(part) ? `[${part.length} characters]` : part,
  ).slice(0, maxLength);
}
