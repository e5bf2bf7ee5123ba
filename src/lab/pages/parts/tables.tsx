/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import type { ReceivedAndExpected } from "../../recording/refusal.ts";

/** A name with its value. A fact without a value is left out. */
export type Fact = readonly [name: ComponentChildren, value: ComponentChildren];

/** A list of names and values. */
export function Facts({ facts }: { facts: readonly Fact[] }): VNode {
  const present = facts.filter(([, value]) =>
    value !== undefined && value !== null && value !== false && value !== ""
  );
  return (
    <dl class="pairs">
      {present.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export type Column<T> = readonly [head: string, cell: (entry: T) => ComponentChildren];

/** A table. A phone stacks its cells; the first one names the entry. */
export function Table<T>({ columns, entries, empty }: {
  columns: ReadonlyArray<Column<T>>;
  entries: readonly T[];
  /** Shown in place of a table without entries. */
  empty?: VNode;
}): VNode {
  if (entries.length === 0 && empty) return empty;
  return (
    <table class="stacking">
      <thead>
        <tr>
          {columns.map(([head]) => (
            <th scope="col">{head || <span class="visually-hidden">Actions</span>}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr>
            {columns.map(([head, cell], at) =>
              at === 0
                ? <th scope="row">{cell(entry)}</th>
                : <td data-label={head}>{cell(entry)}</td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/**
 * Shown in place of a list that has no entries yet: what appears here, and how to make it appear.
 */
export function Empty({ title, actions, children }: {
  title: string;
  /** How the list is filled: a button, or the lines that do so. */
  actions?: ComponentChildren;
  /** What would fill the list. */
  children?: ComponentChildren;
}): VNode {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <p>{children}</p>}
      {actions && <div class="button-row">{actions}</div>}
    </div>
  );
}

/** What came and what was expected, below each other: each may be a long URL. */
export function Comparison({ received, expected }: ReceivedAndExpected): VNode | null {
  const values = [["Received", received], ["Expected", expected]] as const;
  const present = values.filter(([, value]) => value !== undefined);
  if (present.length === 0) return null;
  return (
    <dl class="comparison">
      {present.map(([name, value]) => (
        <div class={name.toLowerCase()}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
