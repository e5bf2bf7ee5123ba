/** Text that may be a credential: long, and long enough not to be a word if it looks random. */
const suspicious = /[\w.~+=%-]{16,}/g;
/** No word of ours, and no name that a person would choose, is as long. */
const maxWordLength = 32;
const looksRandom = /\d|[a-z][^/]*[A-Z]|[A-Z][^/]*[a-z]/;

/** Replaces each part of a text that looks like a credential by its length. */
export function hideRandomText(text: string): string {
  return text.replace(
    suspicious,
    (part) =>
      part.length >= maxWordLength || looksRandom.test(part) ? `[${part.length} characters]` : part,
  );
}
