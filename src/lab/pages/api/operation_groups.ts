import type { OperationDescription } from "../../core/operation.ts";

/** Operations that concern the same thing. */
export interface OperationGroup {
  /** The first segment of their paths. */
  name: string;
  title: string;
  operations: OperationDescription[];
}

/** The titles of the groups, in the order of the page. */
const titles: Readonly<Record<string, string>> = {
  tokens: "Tokens",
  codes: "Codes",
  evaluate: "Evaluation",
  authorize: "Playing a user",
  "sign-in": "Hands-free sign-in",
  faults: "Faults",
  responses: "Prepared responses",
  changes: "Changed responses",
  claims: "Claims",
  values: "Chosen values",
  clock: "Clock",
  requests: "Recorded requests",
  flows: "Flows",
  report: "Report",
  drill: "Drill",
  events: "Events",
  users: "Users",
  clients: "Clients",
  "client-documents": "Metadata documents of clients",
  settings: "Settings",
  tenants: "Tenants",
  snapshots: "Snapshots",
  reset: "Reset",
  "openapi.json": "OpenAPI",
};

/** Every operation of the interface, grouped by what it concerns. */
export function operationGroups(operations: readonly OperationDescription[]): OperationGroup[] {
  const names = new Set([...Object.keys(titles), ...operations.map(groupOf)]);
  return [...names].map((name) => ({
    name,
    title: titles[name] ?? `/${name}`,
    operations: operations.filter((operation) => groupOf(operation) === name),
  })).filter((group) => group.operations.length > 0);
}

function groupOf({ path }: OperationDescription): string {
  return path.split("/")[1] ?? "";
}
