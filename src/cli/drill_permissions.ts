import { UsageError } from "./command.ts";
import { taskFor } from "./explain_error.ts";

/**
 * Checks that Deno lets a drill visit these origins. Otherwise a drill, which runs later, would blame
 * the application.
 */
export function checkDrillPermissions(origins: readonly string[]): void {
  if (!("Deno" in globalThis)) return;
  for (const origin of origins) {
    const { state } = Deno.permissions.querySync({ name: "net", host: new URL(origin).host });
    if (state === "granted") continue;
    throw new UsageError(
      `Deno does not let a drill visit ${origin}, on another machine. Use the task that has this ` +
        `permission: ${taskFor("lab")} --drill-origin ${origin} …`,
    );
  }
}
