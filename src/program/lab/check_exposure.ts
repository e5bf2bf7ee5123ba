import { labTokenProblem } from "../../lab/control/lab_token.ts";
import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import { type Invocation, valueOf } from "../command_line/command.ts";
import { taskFor } from "../terminal/explain_error.ts";
import { UsageError } from "../terminal/usage_error.ts";

/** Prevents a lab, which signs in anyone, from being reachable from a network by accident. */
export function checkExposure(invocation: Invocation, hostname: string): void {
  const expose = valueOf(invocation, "expose");
  const labToken = valueOf(invocation, "lab-token");
  if (!isLoopbackHost(hostname) && !expose) {
    throw new UsageError(
      `On ${hostname}, other machines could reach this lab and sign in as any user. If you want ` +
        "that, add --expose and --lab-token TOKEN.",
    );
  }
  if (expose && !labToken) {
    throw new UsageError("--expose needs --lab-token TOKEN, which protects /lab.");
  }
  const problem = labToken && labTokenProblem(labToken);
  if (problem) throw new UsageError(`--lab-token ${problem}`);
}

/**
 * Checks that Deno lets a drill visit these origins. Otherwise a drill, which runs later, would
 * blame the application.
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
