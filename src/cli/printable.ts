/** What moves the cursor of a terminal, changes its colours, or reverses the text that follows. */
const unprintable = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Escapes text that comes from elsewhere, line breaks included: it must not pass for output of ours. */
export function printable(text: string): string {
  return text.replace(unprintable, escape);
}

/** The same for everything that is printed; its own line breaks stay. */
export function printableLines(text: string): string {
  return text.replace(
    unprintable,
    (character) => character === "\n" ? character : escape(character),
  );
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
