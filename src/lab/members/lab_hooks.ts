import { ofTenant } from "../core/tenant_option.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import type { HookTools } from "../hooks/hook_tools.ts";

/** Creates the tools by which a test decides what a lab sends, or one of its tenants. */
export function createLabHooks(
  parts: LabParts,
  tenants: { find(id: string): HookTools },
): HookTools {
  const own = ownHooks(parts);
  return {
    on: (point, change, { tenant, ...scope } = {}) =>
      ofTenant(tenant, own, tenants).on(point, change, scope),
    addClaims: (claims, { tenant, ...scope } = {}) =>
      ofTenant(tenant, own, tenants).addClaims(claims, scope),
    changeResponse: (at, { tenant, ...change }) =>
      ofTenant(tenant, own, tenants).changeResponse(at, change),
  };
}

/** The hooks of the lab itself. */
function ownHooks({ hooks }: LabParts): HookTools {
  const { on, addClaims } = hooks;
  return {
    on,
    addClaims,
    changeResponse: (at, change) => hooks.changeResponse({ ...change, at }),
  };
}
