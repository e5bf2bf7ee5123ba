/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../../server/util/time/duration.ts";
import { hasWords } from "../../../pages/parts/long_list.tsx";
import { Group } from "../../../pages/parts/section.tsx";
import { Empty } from "../../../pages/parts/tables.tsx";
import { Tag } from "../../../pages/parts/tag.tsx";
import { catalogue } from "../catalogue.ts";
import type { Fault } from "../fault.ts";

/** The titles of the groups. Those that test a client's security come first. */
const titles: Readonly<Record<string, string>> = {
  callback: "Authorization responses",
  jarm: "Signed authorization responses",
  id_token: "ID tokens",
  access_token: "Access tokens",
  jwks: "Keys",
  metadata: "Metadata",
  token: "Token endpoint",
  refresh: "Refreshing tokens",
  logout: "Sign-out",
  logout_token: "Logout tokens",
  authorize: "Authorization endpoint",
  userinfo: "Userinfo",
  introspect: "Introspection",
  revoke: "Revocation",
  register: "Client registration",
  par: "Pushed requests",
  device: "Device authorization",
  mcp: "The MCP server",
  resource_metadata: "Metadata of the MCP server",
  id_jag: "Assertions for another server (ID-JAG)",
};

/** A fault of the catalogue, as the switchboard shows it. */
interface FaultEntry {
  name: string;
  /** What a client experiences, in one sentence. */
  summary: string;
}

/** Faults of one place. */
interface FaultGroup {
  /** What the names of its faults begin with: "id_token". */
  prefix: string;
  title: string;
  entries: FaultEntry[];
}

/** Every fault, grouped by what it concerns. */
export const faultGroups: readonly FaultGroup[] = groupCatalogue();

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
    <Group
      id={`group-${prefix}`}
      title={title}
      count={counted(entries.length, "fault")}
      tags={count > 0 && <Tag tone="warn">{count} on</Tag>}
      isFound={isFound}
    >
      <ul class="entries switches">
        {entries.map((entry) => switchOf(entry, on.has(entry.name)))}
      </ul>
    </Group>
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

function groupCatalogue(): FaultGroup[] {
  const prefixes = new Set([...Object.keys(titles), ...[...catalogue.keys()].map(prefixOf)]);
  return [...prefixes].map((prefix) => ({
    prefix,
    title: titles[prefix] ?? prefix,
    entries: [...catalogue]
      .filter(([name]) => prefixOf(name) === prefix)
      .map(([name, { summary }]) => ({ name, summary })),
  })).filter(({ entries }) => entries.length > 0);
}

function prefixOf(name: string): string {
  return name.split(".", 1)[0] ?? name;
}
