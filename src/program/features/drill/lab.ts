import type { Invocation } from "../../command_line/command.ts";
import { UsageError } from "../../terminal/exit_code.ts";
import { taskFor } from "../../terminal/explain_error.ts";

/**
 * Checks that Deno lets a drill visit the origins that it may visit. Otherwise a drill, which runs
 * later, would blame the application.
 */
export function checkDrillPermissions({ values }: Invocation): void {
  if (!("Deno" in globalThis)) return;
  for (const origin of values.get("drill-origin") ?? []) {
    const { state } = Deno.permissions.querySync({ name: "net", host: new URL(origin).host });
    if (state === "granted") continue;
    throw new UsageError(
      `Deno does not let a drill visit ${origin}, on another machine. Use the task that has this ` +
        `permission: ${taskFor("lab")} --drill-origin ${origin} …`,
    );
  }
}
