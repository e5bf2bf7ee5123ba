/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../../server/util/time/duration.ts";
import { hasWords } from "../../../pages/parts/long_list.tsx";
import { Group, Section } from "../../../pages/parts/section.tsx";
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

/** What breaks in production, as a question to the client. */
const oftenUseful: Readonly<Record<string, string>> = {
  "callback.denied": "The user says no: does the client offer a way on?",
  "callback.wrong_state": "Someone else began the login: is it refused?",
  "id_token.wrong_nonce": "The ID token is that of another login: is it refused?",
  "id_token.foreign_signature": "Anyone can have made the ID token: is its signature verified?",
  "jwks.rotated": "The server has a new key: does the client fetch it?",
  "token.server_error": "The server fails at the last step: does the user learn what to do?",
  "token.slow": "The response takes five seconds: does the client wait, and say so?",
  "refresh.invalid_grant": "The session has ended: is the user asked to sign in again?",
};

/** A fault of the catalogue, as the switchboard shows it. */
interface FaultEntry {
  name: string;
  /** What a client experiences, in one sentence. */
  summary: string;
}

interface FaultGroup {
  /** What the names of its faults begin with: "id_token". */
  prefix: string;
  title: string;
  entries: FaultEntry[];
}

/** Every fault, grouped by what it concerns. */
export const faultGroups: readonly FaultGroup[] = groupCatalogue();

/** Every fault with its switch, in groups that are folded until a search finds something in them. */
export function faultCatalogue(faults: readonly Fault[], search: string, base: string): VNode {
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
      {search === "" && (
        <Section title="Often useful">
          <ul class="entries switches">
            {Object.entries(oftenUseful).map(([name, summary]) =>
              switchOf({ name, summary }, on.has(name), { list: "often-", base })
            )}
          </ul>
        </Section>
      )}
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

/** `list` begins the ids, and tells the form where to return to: a fault can be in two lists. */
function switchOf(
  { name, summary }: FaultEntry,
  isOn: boolean,
  { list = "", base = "" } = {},
): VNode {
  const id = `${list}${name}`;
  return (
    <li id={id}>
      <div>
        <code>{name}</code>
        <p class="help" id={`${id}-summary`}>{summary}</p>
      </div>
      <button
        type="submit"
        role="switch"
        class="switch"
        id={`switch-${id}`}
        aria-checked={isOn ? "true" : "false"}
        aria-label={name}
        aria-describedby={`${id}-summary`}
        formaction={list ? `${base}/lab/faults/switch?list=${list}` : undefined}
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
