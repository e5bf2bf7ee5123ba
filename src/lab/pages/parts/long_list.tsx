/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { Field } from "./fields.tsx";
import { FormField } from "./form.tsx";

/** How many entries a page of a list has, unless the list says otherwise. */
const usualSize = 25;

/** How many users and how many clients a page lists where another one has all. */
const maxListed = 10;

interface FilterFormProps {
  /** The path of the list. */
  action: string;
  /** What the search is for: "Find a flow". */
  label: string;
  hint?: string;
  query: URLSearchParams;
  /** More fields of the filter. */
  fields?: readonly Field[];
}

/** Filters a list. With scripts, the list follows the fields; without, the button sends them. */
export function FilterForm({ action, label, hint, query, fields = [] }: FilterFormProps): VNode {
  return (
    <form class="toolbar filter" role="search" id="filter" method="get" action={action} data-follow>
      <div class="query">
        <label for="q">{label}</label>
        <input id="q" name="q" type="search" value={query.get("q") ?? ""} placeholder={hint} />
      </div>
      {fields.length > 0 && filters(fields, query)}
      <noscript>
        <button type="submit" class="secondary">Filter</button>
      </noscript>
      {[...query.keys()].some((name) =>
        name !== "flow"
      ) && <a href={action}>Show all</a>}
    </form>
  );
}

/** A phone shows them on demand, unless one of them is in use. */
function filters(fields: readonly Field[], query: URLSearchParams): VNode {
  const isUsed = fields.some(({ name }) => query.get(name));
  return (
    <details class="filters" id="filters" open data-fold-if-narrow={!isUsed || undefined}>
      <summary>Filters</summary>
      {fields.map((field) => <FormField field={field} values={query} />)}
    </details>
  );
}

/** Returns whether a text has every word of a search. */
export function hasWords(text: string, search: string | null): boolean {
  const found = text.toLowerCase();
  return (search ?? "").toLowerCase().split(/\s+/).every((word) => found.includes(word));
}

/** A part of a list, and where it is in it. */
export interface ListPage<T> {
  entries: readonly T[];
  /** The number of entries before it. */
  start: number;
  /** The number of entries of the whole list. */
  total: number;
  /** The number of entries that a full page has. */
  size: number;
}

/** Returns a page of a list by its number, which starts at 1. A list has no page beyond its last. */
export function pageOf<T>(
  list: readonly T[],
  number: string | null,
  size: number = usualSize,
): ListPage<T> {
  const lastStart = Math.max(0, Math.ceil(list.length / size) - 1) * size;
  const asked = /^\d{1,6}$/.test(number ?? "") ? (Number(number) - 1) * size : 0;
  const start = Math.min(Math.max(0, asked), lastStart);
  return { entries: list.slice(start, start + size), start, total: list.length, size };
}

interface PagerProps {
  /** What the list has: "Flows", for screen readers. */
  what: string;
  page: ListPage<unknown>;
  /** The path and the query of the list. */
  path: string;
  query: URLSearchParams;
  /** The parameter that names the page. */
  parameter?: string;
}

/** Says which part of a list is shown, and leads to the next ones. A short list needs none. */
export function Pager({ what, page, path, query, parameter = "page" }: PagerProps): VNode | null {
  const { entries, start, total, size } = page;
  if (total <= size) return null;
  const number = start / size + 1;
  const hrefOf = (other: number) => `${path}?${withPage(query, parameter, other)}`;
  return (
    <nav class="pager" aria-label={`Pages of the list: ${what}`}>
      {start > 0 && <a rel="prev" href={hrefOf(number - 1)}>← Previous</a>}
      <span>{start + 1}–{start + entries.length} of {total}</span>
      {start + entries.length < total && <a rel="next" href={hrefOf(number + 1)}>Next →</a>}
    </nav>
  );
}

/** Says how long a list is, and how much of it a filter leaves. */
export function Count({ shown, all }: { shown: number; all: number }): VNode {
  return <span class="muted">{shown === all ? all : `${shown} of ${all}`}</span>;
}

/** Returns the entries that a page lists where another one has all. */
export function firstEntries<T>(entries: readonly T[]): readonly T[] {
  return entries.slice(0, maxListed);
}

/** Leads to the page that lists, searches and changes all. */
export function linkToAll(base: string, what: "users" | "clients", count: number): VNode {
  const text = count > maxListed ? `All ${count} ${what}` : `All ${what}`;
  return <a href={`${base}/lab/${what}`}>{text}</a>;
}

function withPage(query: URLSearchParams, parameter: string, number: number): URLSearchParams {
  const changed = new URLSearchParams(query);
  changed.set(parameter, String(number));
  return changed;
}
