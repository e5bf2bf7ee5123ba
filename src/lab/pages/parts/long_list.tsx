/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { Field } from "./fields.tsx";
import { FormField } from "./form.tsx";

/** How many entries a page of a list has, unless the list says otherwise. */
const usualSize = 25;

/** Filters a list. With scripts, the list follows the fields; without, the button sends them. */
export function FilterForm({ action, label, hint, query, fields = [] }: {
  /** The path of the list. */
  action: string;
  /** What the search is for: "Find a flow". */
  label: string;
  hint?: string | undefined;
  query: URLSearchParams;
  /** More fields of the filter. */
  fields?: readonly Field[];
}): VNode {
  const isUsed = fields.some(({ name }) => query.get(name));
  return (
    <form class="toolbar filter" role="search" id="filter" method="get" action={action} data-follow>
      <div class="query">
        <label for="q">{label}</label>
        <input id="q" name="q" type="search" value={query.get("q") ?? ""} placeholder={hint} />
      </div>
      {/* A phone shows them on demand, unless one of them is in use. */}
      {fields.length > 0 && (
        <details class="filters" id="filters" open data-fold-if-narrow={!isUsed || undefined}>
          <summary>Filters</summary>
          {fields.map((field) => <FormField field={field} values={query} />)}
        </details>
      )}
      <noscript>
        <button type="submit" class="secondary">Filter</button>
      </noscript>
      {[...query.keys()].some((name) =>
        name !== "flow"
      ) && <a href={action}>Show all</a>}
    </form>
  );
}

export function hasWords(text: string, search: string | null): boolean {
  const found = text.toLowerCase();
  return (search ?? "").toLowerCase().split(/\s+/).every((word) => found.includes(word));
}

/** The page of a list that its query names, and links to the next ones. A short list needs none. */
export function Paged<T>({ what, list, path, query, children, ...options }: {
  /** What the list has: "flows", for screen readers. */
  what: string;
  list: readonly T[];
  /** How many entries a page has. */
  size?: number;
  /** The path and the query of the list. */
  path: string;
  query: URLSearchParams;
  /** The parameter that names the page. */
  parameter?: string;
  /** Draws the entries of a page. */
  children: (entries: readonly T[]) => VNode;
}): VNode {
  const { size = usualSize, parameter = "page" } = options;
  const asked = query.get(parameter) ?? "";
  const last = Math.max(1, Math.ceil(list.length / size));
  // A list has no page beyond its last.
  const number = /^\d{1,6}$/.test(asked) ? Math.min(Math.max(1, Number(asked)), last) : 1;
  const [start, end] = [(number - 1) * size, Math.min(number * size, list.length)];
  const hrefOf = (other: number) => {
    const changed = new URLSearchParams(query);
    changed.set(parameter, String(other));
    return `${path}?${changed}`;
  };
  return (
    <>
      {children(list.slice(start, end))}
      {last > 1 && (
        <nav class="pager" aria-label={`Pages of the list: ${what}`}>
          {number > 1 && <a rel="prev" href={hrefOf(number - 1)}>← Previous</a>}
          <span>{start + 1}–{end} of {list.length}</span>
          {number < last && <a rel="next" href={hrefOf(number + 1)}>Next →</a>}
        </nav>
      )}
    </>
  );
}

/** Says how long a list is, and how much of it a filter leaves. */
export function Count({ shown, all }: { shown: number; all: number }): VNode {
  return <span class="muted">{shown === all ? all : `${shown} of ${all}`}</span>;
}
