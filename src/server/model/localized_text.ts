/** A text for users: one for every language, or one for each by its language tag (RFC 5646). */
export type LocalizedText = string | Record<string, string>;

/** Returns a text in a language. A text that does not exist in that language is its first one. */
export function textIn(language: string, text: LocalizedText): string {
  if (typeof text === "string") return text;
  return (Object.hasOwn(text, language) ? text[language] : Object.values(text)[0]) ?? "";
}
