import type { FaultTools } from "../faults/fault_tools.ts";
import type { HookInternals } from "../hooks/hook_tools.ts";

/** What a lab knows about faults and hooks that never fired. */
interface IdleParts extends Pick<FaultTools, "faults">, HookInternals {
  tenants: { ids(): string[]; find(id: string): IdleParts };
}

/**
 * Returns the names of the faults, queued responses and hooks of a lab and its tenants that never
 * fired: they tested nothing.
 */
export function idleNames({ faults, hooks, tenants }: IdleParts): string[] {
  return [
    ...faults.idle().map(({ name }) => name),
    ...hooks.idle().map(({ point }) => `hook.${point}`),
    ...tenants.ids().flatMap((id) => idleNames(tenants.find(id)).map((name) => nameIn(id, name))),
  ];
}

/** Names what belongs to a tenant. */
export function nameIn(tenant: string, name: string): string {
  return `${name} (tenant ${tenant})`;
}

/** Returns the warning about what never fired, or undefined if everything did. */
export function idleWarning(lab: IdleParts): string | undefined {
  const names = idleNames(lab);
  if (names.length === 0) return undefined;
  const hasOthers = names.some((name) => /^hook\.|\.response( |$)/.test(name));
  const what = hasOthers ? "faults, hooks and queued responses" : "faults";
  return `these ${what} were added but never fired: ${names.join(", ")}`;
}
