import type { FaultName } from "../../../lab/features/faults/catalogue.ts";
import { messageOf } from "../../../server/util/text/error_message.ts";
import { checkVariables } from "../../child_command/child_environment.ts";
import type { ChildLabs } from "../../child_command/child_lab.ts";
import { namesLab } from "../../child_command/lab_target.ts";
import { type Invocation, valueOf } from "../../command_line/command.ts";
import { UsageError } from "../../terminal/usage_error.ts";
import { selectVetVariants } from "./runs/vet_variants.ts";

/** Checks the options that only make sense together. */
export function checkVetOptions(invocation: Invocation, labs: Pick<ChildLabs, "issuer">): void {
  checkVariables(invocation);
  checkReachable(invocation);
  checkJobs(invocation, labs);
  try {
    selectVetVariants(invocation.values.get("only") as readonly FaultName[] | undefined);
  } catch (cause) {
    throw new UsageError(messageOf(cause));
  }
}

/** A suite that cannot know where the lab is would never reach it. */
function checkReachable({ values, childCommand = [] }: Invocation): void {
  const texts = [...values.get("env") ?? [], ...childCommand];
  if (values.has("port") || texts.some(namesLab)) return;
  throw new UsageError(
    "Your tests need to know where the lab is. " +
      "Write --env ISSUER={issuer} with the variable that they read, or --port 9000 for a fixed " +
      "port.",
  );
}

function checkJobs(invocation: Invocation, { issuer }: Pick<ChildLabs, "issuer">): void {
  if (issuer === undefined || Number(valueOf(invocation, "jobs") ?? 1) === 1) return;
  throw new UsageError("--jobs needs labs with an issuer each: remove the issuer.");
}
