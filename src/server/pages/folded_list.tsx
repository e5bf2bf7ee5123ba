/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { Language } from "./languages/languages.ts";
import { formatNumber, Phrase } from "./languages/phrases.tsx";

/** How many entries are shown; the rest is folded. */
const maxShown = 10;

interface FoldedListProps {
  /** The class of the list. */
  class: string;
  entries: readonly VNode[];
  language: Language;
}

/** Shows the first entries of a list, and the others when they are asked for. */
export function FoldedList({ class: name, entries, language }: FoldedListProps): VNode {
  const folded = entries.slice(maxShown);
  const count = formatNumber(language, folded.length);
  return (
    <>
      <ul class={name}>{entries.slice(0, maxShown)}</ul>
      {folded.length > 0 && (
        <details>
          <summary>
            <Phrase text={language.words.access.more} parts={{ count }} />
          </summary>
          <ul class={name}>{folded}</ul>
        </details>
      )}
    </>
  );
}
