import type { OperationDescription } from "../../core/operation.ts";
import { placeEntries } from "../../util/lists.ts";
import type { OperationGroup } from "../page/feature_interface.ts";

/** A section of the page that describes the interface. */
export interface OperationSection extends OperationGroup {
  operations: OperationDescription[];
}

/** The groups of the core, in the order of the page. */
const coreGroups: readonly OperationGroup[] = [
  { name: "tokens", title: "Tokens" },
  { name: "codes", title: "Codes" },
  { name: "authorize", title: "Playing a user" },
  { name: "sign-in", title: "Hands-free sign-in" },
  { name: "clock", title: "Clock" },
  { name: "requests", title: "Recorded requests" },
  { name: "flows", title: "Flows" },
  { name: "events", title: "Events" },
  { name: "users", title: "Users" },
  { name: "clients", title: "Clients" },
  { name: "settings", title: "Settings" },
  { name: "tenants", title: "Tenants" },
  { name: "reset", title: "Reset" },
  { name: "openapi.json", title: "OpenAPI" },
];

/** Returns every operation of the interface, grouped by what it concerns. */
export function operationSections(
  operations: readonly OperationDescription[],
  ofFeatures: readonly OperationGroup[],
): OperationSection[] {
  const groups = placeEntries(coreGroups, ofFeatures);
  const named = new Set(groups.map(({ name }) => name));
  const others = [...new Set(operations.map(groupOf))].filter((name) => !named.has(name))
    .map((name) => ({ name, title: `/${name}` }));
  return [...groups, ...others].map((group) => ({
    ...group,
    operations: operations.filter((operation) => groupOf(operation) === group.name),
  })).filter((section) => section.operations.length > 0);
}

function groupOf({ path }: OperationDescription): string {
  return path.split("/")[1] ?? "";
}
