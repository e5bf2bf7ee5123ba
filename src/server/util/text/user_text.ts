/**
 * Characters that hide, reorder or break the text around them: controls, bidirectional overrides,
 * line separators, zero-width characters and invisible fillers. The two variation selectors of
 * emoji are allowed.
 */
const deceptive =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0d\uffa0]/u;

/** A text for users: one for every language, or one for each by its language tag (RFC 5646). */
export type LocalizedText = string | Record<string, string>;

/** Returns a text in a language. A text that does not exist in that language is its first one. */
export function textIn(language: string, text: LocalizedText): string {
  if (typeof text === "string") return text;
  return (Object.hasOwn(text, language) ? text[language] : Object.values(text)[0]) ?? "";
}

/** Whether a user sees a text as it is: visible, and without deceptive characters. */
export function isReadable(text: string): boolean {
  return /\S/u.test(text) && !deceptive.test(text);
}
