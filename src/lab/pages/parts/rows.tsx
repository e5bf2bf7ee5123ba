/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { Group } from "./section.tsx";
import type { Tone } from "./tag.tsx";

/** One entry of a list that is as dense as a log. */
export interface ListRow {
  /** The id of the row. A part that follows the lab keeps a row with an id where it is. */
  id?: string | undefined;
  tone: Tone;
  /** What the color of the dot means, for readers who do not see it: "refused". */
  state: string;
  /** What names the entry: a link to its page. */
  title: ComponentChildren;
  /** What there is to know about it, in a few words. */
  note?: ComponentChildren;
  /** When it happened or how long it took, at the end of the line. */
  aside?: ComponentChildren;
}

/** A list of rows, each with a dot for its state. */
export function Rows({ rows, empty }: {
  rows: readonly ListRow[];
  /** Shown in place of a list without rows. */
  empty?: VNode;
}): VNode {
  if (rows.length === 0 && empty) return empty;
  return (
    <ul class="rows">
      {rows.map(({ id, tone, state, title, note, aside }) => (
        <li class={`row ${tone}`} id={id}>
          <span class="dot" title={state}>
            <span class="visually-hidden">{state}</span>
          </span>{" "}
          <span class="row-title">{title}</span>{" "}
          {note !== undefined && <span class="row-note">{note}</span>}{" "}
          {aside !== undefined && <span class="row-aside">{aside}</span>}
        </li>
      ))}
    </ul>
  );
}

/** Rows that open together. Without any, there is nothing to open. */
export function RowGroup({ id, title, rows, count }: {
  id: string;
  title: string;
  rows: readonly ListRow[];
  /** How many there are, in words. By default, the number. */
  count?: string;
}): VNode | null {
  if (rows.length === 0) return null;
  return (
    <Group id={id} title={title} count={count ?? rows.length}>
      <Rows rows={rows} />
    </Group>
  );
}
