/**
 * Characters that move the cursor of a terminal, change its colours, reverse the text after them,
 * or hide in it, as zero-width and tag characters do.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

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
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
