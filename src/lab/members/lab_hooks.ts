import type { Lab } from "../control/lab.ts";
import type { LabParts } from "../handling/lab_parts.ts";

/** The members of a lab by which a test decides what a lab sends. */
export type LabHooks = Pick<Lab, "on" | "addClaims" | "changeResponse" | "values">;

/** Creates the members by which a test decides what a lab sends, or one of its tenants. */
export function createLabHooks(parts: LabParts): LabHooks {
  const own = ownHooks(parts);
  const hooksOf = (tenant: string | undefined) =>
    tenant === undefined ? own : parts.tenants.find(tenant);
  return {
    on: (point, change, { tenant, ...scope } = {}) => hooksOf(tenant).on(point, change, scope),
    addClaims: (claims, { tenant, ...scope } = {}) => hooksOf(tenant).addClaims(claims, scope),
    changeResponse: (at, { tenant, ...change }) => hooksOf(tenant).changeResponse(at, change),
    values: ({ tenant, ...options }) => hooksOf(tenant).values(options),
  };
}

/** The hooks and values of the lab itself. */
function ownHooks({ hooks, values, server }: LabParts): LabHooks {
  const { on, addClaims } = hooks;
  const clientIds = () => server.clients.list().map(({ id }) => id);
  return {
    on,
    addClaims,
    changeResponse: (at, change) => hooks.changeResponse({ ...change, at }),
    values: (options) => values.add(options, clientIds()),
  };
}
