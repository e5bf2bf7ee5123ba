/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../../server/util/time/duration.ts";
import { hasWords } from "../../../pages/parts/long_list.tsx";
import { Empty } from "../../../pages/parts/tables.tsx";
import { Tag } from "../../../pages/parts/tag.tsx";
import type { Fault } from "../fault.ts";
import { type FaultEntry, type FaultGroup, faultGroups } from "./fault_groups.ts";

/** Every fault with its switch, in groups that are folded until a search finds something in them. */
export function faultCatalogue(faults: readonly Fault[], search: string): VNode {
  const on = new Set(faults.map(({ name }) => name));
  const groups = faultGroups.map((group) => ({
    ...group,
    entries: group.entries.filter(({ name, summary }) => hasWords(`${name} ${summary}`, search)),
  })).filter(({ entries }) => entries.length > 0);
  return (
    <div id="fault-catalogue" data-live>
      {/* A switch leads back to the same search. */}
      <input type="hidden" name="q" value={search} />
      {groups.length === 0 && <Empty title={`No fault matches “${search}”`} />}
      {groups.map((group) => groupOf(group, on, search !== ""))}
    </div>
  );
}

function groupOf(
  { prefix, title, entries }: FaultGroup,
  on: ReadonlySet<string>,
  isFound: boolean,
): VNode {
  const count = entries.filter(({ name }) => on.has(name)).length;
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
        {count > 0 && <Tag tone="warn">{count} on</Tag>}
      </summary>
      <ul class="entries switches">
        {entries.map((entry) => switchOf(entry, on.has(entry.name)))}
      </ul>
    </details>
  );
}

function switchOf({ name, summary }: FaultEntry, isOn: boolean): VNode {
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
