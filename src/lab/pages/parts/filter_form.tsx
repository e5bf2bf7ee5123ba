/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";

interface FilterFormProps {
  /** The path of the list. */
  action: string;
  /** What the search is for: "Find a flow". */
  label: string;
  hint?: string;
  query: URLSearchParams;
  /** More fields of the filter. */
  children?: ComponentChildren;
}

/** Filters a list. With scripts, the list follows the fields; without, the button sends them. */
export function FilterForm({ action, label, hint, query, children }: FilterFormProps): VNode {
  return (
    <form class="toolbar filter" role="search" id="filter" method="get" action={action} data-follow>
      <div class="query">
        <label for="q">{label}</label>
        <input id="q" name="q" type="search" value={query.get("q") ?? ""} placeholder={hint} />
      </div>
      {children}
      <button type="submit" class="secondary">Filter</button>
      {query.size > 0 && <a href={action}>Show all</a>}
    </form>
  );
}

/** A value that a filter may have, and what it is called. */
export type Choice = readonly [value: string, label: string];

interface FilterSelectProps {
  name: string;
  label: string;
  /** What an empty value means: "any client". */
  none: string;
  choices: readonly Choice[];
  query: URLSearchParams;
}

/** A choice of a filter. */
export function FilterSelect({ name, label, none, choices, query }: FilterSelectProps): VNode {
  const chosen = query.get(name) ?? "";
  return (
    <div>
      <label for={`filter-${name}`}>{label}</label>
      <select id={`filter-${name}`} name={name}>
        <option value="">{none}</option>
        {choices.map(([value, text]) => (
          <option value={value} selected={value === chosen}>{text}</option>
        ))}
      </select>
    </div>
  );
}

/** Returns whether a text has every word of a search. */
export function hasWords(text: string, search: string | null): boolean {
  const found = text.toLowerCase();
  return (search ?? "").toLowerCase().split(/\s+/).every((word) => found.includes(word));
}
