/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { Field } from "./fields.tsx";
import { FormField } from "./form.tsx";

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
      {fields.map((field) => <FormField field={field} values={query} />)}
      <noscript>
        <button type="submit" class="secondary">Filter</button>
      </noscript>
      {query.size > 0 && <a href={action}>Show all</a>}
    </form>
  );
}

/** Returns whether a text has every word of a search. */
export function hasWords(text: string, search: string | null): boolean {
  const found = text.toLowerCase();
  return (search ?? "").toLowerCase().split(/\s+/).every((word) => found.includes(word));
}
