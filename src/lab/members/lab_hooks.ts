import { ofTenant } from "../core/tenant_option.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import type { HookTools } from "../hooks/hook_tools.ts";
import type { ValueTools } from "../values/value_tools.ts";

/** Creates the tools by which a test decides what a lab sends, or one of its tenants. */
export function createLabHooks(
  parts: LabParts,
  tenants: { find(id: string): HookTools & ValueTools },
): HookTools & ValueTools {
  const own = ownHooks(parts);
  return {
    on: (point, change, { tenant, ...scope } = {}) =>
      ofTenant(tenant, own, tenants).on(point, change, scope),
    addClaims: (claims, { tenant, ...scope } = {}) =>
      ofTenant(tenant, own, tenants).addClaims(claims, scope),
    changeResponse: (at, { tenant, ...change }) =>
      ofTenant(tenant, own, tenants).changeResponse(at, change),
    values: ({ tenant, ...options }) => ofTenant(tenant, own, tenants).values(options),
  };
}

/** The hooks and values of the lab itself. */
function ownHooks({ hooks, values, server }: LabParts): HookTools & ValueTools {
  const { on, addClaims } = hooks;
  const clientIds = () => server.clients.list().map(({ id }) => id);
  return {
    on,
    addClaims,
    changeResponse: (at, change) => hooks.changeResponse({ ...change, at }),
    values: (options) => values.add(options, clientIds()),
  };
}
