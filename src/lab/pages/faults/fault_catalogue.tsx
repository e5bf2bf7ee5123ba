/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/describe_span.ts";
import type { Fault } from "../../faults/fault.ts";
import { Empty } from "../parts/empty.tsx";
import { Tag } from "../parts/tag.tsx";
import { type FaultEntry, type FaultGroup, faultGroups } from "./fault_groups.ts";

interface FaultCatalogueProps {
  faults: readonly Fault[];
  search: string;
}

/** Every fault with its switch, in groups that are folded until a search finds something in them. */
export function FaultCatalogue({ faults, search }: FaultCatalogueProps): VNode {
  const groups = faultGroups.map((group) => matching(group, search))
    .filter(({ entries }) => entries.length > 0);
  return (
    <div id="fault-catalogue" data-live>
      {/* A switch leads back to the same search. */}
      <input type="hidden" name="q" value={search} />
      {groups.length === 0 && <Empty title={`No fault matches “${search}”`} />}
      {groups.map((group) => (
        <FaultGroupView group={group} faults={faults} isFound={search !== ""} />
      ))}
    </div>
  );
}

interface FaultGroupProps {
  group: FaultGroup;
  faults: readonly Fault[];
  isFound: boolean;
}

function FaultGroupView(
  { group: { prefix, title, entries }, faults, isFound }: FaultGroupProps,
): VNode {
  const isOn = (name: string) => faults.some((fault) => fault.name === name);
  const on = entries.filter(({ name }) => isOn(name)).length;
  return (
    <details
      class="panel group"
      id={`group-${prefix}`}
      open={isFound}
      data-found={isFound || undefined}
    >
      <summary>
        <h2>{title}</h2>
        <span class="count">{counted(entries.length, "fault")}</span>
        {on > 0 && <Tag tone="warn">{on} on</Tag>}
      </summary>
      <ul class="entries switches">
        {entries.map((entry) => <FaultSwitch entry={entry} isOn={isOn(entry.name)} />)}
      </ul>
    </details>
  );
}

/** With scripts it shows what matches as one types; without, its button does. */
export function FaultSearch({ search, action }: { search: string; action: string }): VNode {
  return (
    <form
      class="toolbar"
      role="search"
      id="fault-search"
      method="get"
      action={action}
      data-follow
    >
      <input
        type="search"
        id="fault-query"
        name="q"
        aria-label="Search faults"
        placeholder="Search: nonce, redirect, slow …"
        value={search}
      />
      <button type="submit" class="secondary">Search</button>
    </form>
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
        id={`switch-${name}`}
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
