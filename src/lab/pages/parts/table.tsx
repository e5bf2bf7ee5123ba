/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";

/** A column of a table: its head, its cell of an entry, and how both look. */
export type Column<T> = readonly [
  head: string,
  cell: (entry: T) => ComponentChildren,
  look?: ColumnLook,
];

interface ColumnLook {
  class?: string;
  /** Whether the cells of a compact table have the head on a phone, too. */
  isLabeled?: boolean;
}

interface TableProps<T> {
  columns: ReadonlyArray<Column<T>>;
  entries: readonly T[];
  /** Whether a phone shows an entry in few lines, without the heads of most columns. */
  isCompact?: boolean;
}

/** A table. A phone stacks its cells; unless it is compact, the first one names the entry. */
export function Table<T>({ columns, entries, isCompact = false }: TableProps<T>): VNode {
  return (
    <table class={isCompact ? "stacking compact" : "stacking"}>
      <thead>
        <tr>
          {columns.map(([head, , look]) => <th scope="col" class={look?.class}>{head}</th>)}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr>
            {columns.map(([head, cell, { class: name, isLabeled = !isCompact } = {}], at) =>
              at === 0 && !isCompact
                ? <th scope="row">{cell(entry)}</th>
                : <td class={name} data-label={isLabeled ? head : undefined}>{cell(entry)}</td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
