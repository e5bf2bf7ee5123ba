/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
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
  /** What the row shows when it is opened. */
  children?: ComponentChildren;
  isOpen?: boolean;
}

/** A list of rows, each with a dot for its state. A row that has more to show opens. */
export function Rows({ rows }: { rows: readonly ListRow[] }): VNode {
  return (
    <ul class="rows">
      {rows.map(({ children, isOpen, ...row }) => (
        <li class={`row ${row.tone}`} id={row.id}>
          {children
            ? (
              <details id={row.id && `${row.id}-more`} open={isOpen}>
                <summary>{lineOf(row)}</summary>
                <div class="row-more">{children}</div>
              </details>
            )
            : lineOf(row)}
        </li>
      ))}
    </ul>
  );
}

function lineOf({ state, title, note, aside }: ListRow): VNode {
  return (
    <span class="line">
      <span class="dot" title={state}>
        <span class="visually-hidden">{state}</span>
      </span>{" "}
      <span class="row-title">{title}</span>{" "}
      {note !== undefined && <span class="row-note">{note}</span>}{" "}
      {aside !== undefined && <span class="row-aside">{aside}</span>}
    </span>
  );
}
