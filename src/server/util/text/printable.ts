/**
 * Characters that move the cursor of a terminal, change its colours, or reverse the text after
 * them.
 */
const unprintable = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** What our own lines and indentation are made of. */
const layout = /[\n\t]/;

/** Escapes text from outside, line breaks included, so that it cannot pass for our own output. */
export function printable(text: string): string {
  return text.replace(unprintable, escape);
}

/** Escapes everything that the program prints, except its own line breaks and tabs. */
export function printableLines(text: string): string {
  return text.replace(
    unprintable,
    (character) => layout.test(character) ? character : escape(character),
  );
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
