import { labTokenProblem } from "../../lab/control/lab_access.ts";
import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import { type Invocation, valueOf } from "../command_line/command.ts";
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
