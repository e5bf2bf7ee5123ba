/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import type { Language } from "./languages.ts";

interface PhraseProps {
  /** A text with placeholders: `Continue to {name}`. */
  text: string;
  /** What replaces each placeholder. */
  parts: Record<string, ComponentChildren>;
}

interface ListProps {
  language: Pick<Language, "tag">;
  entries: readonly ComponentChildren[];
}

/** Shows a text, with elements in place of its placeholders. */
export function Phrase({ text, parts }: PhraseProps): VNode {
  // Every second piece is the name of a placeholder.
  const pieces = text.split(/\{(\w+)\}/);
  return <>{pieces.map((piece, at) => at % 2 === 0 ? piece : parts[piece])}</>;
}

/** Lists entries as a sentence does: "a, b, and c". */
export function ListPhrase({ language, entries }: ListProps): VNode {
  const places = entries.map((_, at) => String(at));
  const parts = new Intl.ListFormat(language.tag).formatToParts(places);
  return <>{parts.map(({ type, value }) => type === "element" ? entries[Number(value)] : value)}</>;
}
