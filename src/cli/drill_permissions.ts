import { UsageError } from "./command.ts";
import { taskFor } from "./explain_error.ts";

/**
 * Checks that Deno lets a drill visit these origins. A drill comes later than the start, and would
 * report a broken application.
 */
export function checkDrillPermissions(origins: readonly string[]): void {
  if (!("Deno" in globalThis)) return;
  for (const origin of origins) {
    const { state } = Deno.permissions.querySync({ name: "net", host: new URL(origin).host });
    if (state === "granted") continue;
    throw new UsageError(
      `A drill may not visit ${origin}, which is on another machine. Run it with this task, which ` +
        `may: ${taskFor("lab")} --drill-origin ${origin} …`,
    );
  }
}
