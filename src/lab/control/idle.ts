import type { CoreLab } from "../core/core_lab.ts";

/**
 * Returns the warning about faults, queued responses and hooks of a lab and its tenants that never
 * fired, and so tested nothing; undefined if all did.
 */
export function idleWarning(lab: CoreLab): string | undefined {
  const { idleFaults } = lab.remarks();
  if (idleFaults.length === 0) return undefined;
  const hasOthers = idleFaults.some((name) => /^hook\.|\.response( |$)/.test(name));
  const what = hasOthers ? "faults, hooks and queued responses" : "faults";
  return `these ${what} were added but never fired: ${idleFaults.join(", ")}`;
}
