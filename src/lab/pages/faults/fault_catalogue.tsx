/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { Fault } from "../../faults/fault.ts";
import { Empty } from "../parts/empty.tsx";
import { type FaultEntry, type FaultGroup, faultGroups } from "./fault_groups.ts";

interface FaultCatalogueProps {
  faults: readonly Fault[];
  search: string;
}

/** Every fault with its switch, grouped and searchable. */
export function FaultCatalogue({ faults, search }: FaultCatalogueProps): VNode {
  const isOn = (name: string) => faults.some((fault) => fault.name === name);
  const groups = faultGroups.map((group) => matching(group, search))
    .filter(({ entries }) => entries.length > 0);
  return (
    <div>
      <FaultSearch search={search} />
      {groups.length === 0 && <Empty title={`No fault matches “${search}”`} />}
      {groups.map(({ prefix, title, entries }) => (
        <section class="panel" data-filter-group id={`group-${prefix}`}>
          <h2>{title}</h2>
          <ul class="entries switches">
            {entries.map((entry) => <FaultSwitch entry={entry} isOn={isOn(entry.name)} />)}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** With scripts it filters as one types; without, it loads the page with what matches. */
function FaultSearch({ search }: { search: string }): VNode {
  return (
    <div class="toolbar" role="search">
      <input
        type="search"
        name="q"
        form="fault-search"
        aria-label="Search faults"
        placeholder="Search: nonce, redirect, slow …"
        value={search}
        data-filter=".switches li"
      />
      <noscript>
        <button type="submit" class="secondary" form="fault-search">Search</button>
      </noscript>
    </div>
  );
}

function FaultSwitch({ entry, isOn }: { entry: FaultEntry; isOn: boolean }): VNode {
  const { name, summary } = entry;
  return (
    <li id={name}>
      <div>
        <code>{name}</code>
        <p class="help" id={`${name}-summary`}>{summary}</p>
      </div>
      <button
        type="submit"
        role="switch"
        class="switch"
        aria-checked={isOn ? "true" : "false"}
        aria-label={name}
        aria-describedby={`${name}-summary`}
        name={isOn ? "off" : "on"}
        value={name}
      >
      </button>
    </li>
  );
}

function matching(group: FaultGroup, search: string): FaultGroup {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const entries = group.entries.filter(({ name, summary }) => {
    const text = `${name} ${summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return { ...group, entries };
}
