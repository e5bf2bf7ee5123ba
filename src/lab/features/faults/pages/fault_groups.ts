import { catalogue } from "../catalogue.ts";

/** A fault of the catalogue, as the switchboard shows it. */
export interface FaultEntry {
  name: string;
  /** What a client experiences, in one sentence. */
  summary: string;
}

/** Faults of one place. */
export interface FaultGroup {
  /** What the names of its faults begin with: "id_token". */
  prefix: string;
  title: string;
  entries: FaultEntry[];
}

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

/** Every fault, grouped by what it concerns. */
export const faultGroups: readonly FaultGroup[] = groupCatalogue();

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
