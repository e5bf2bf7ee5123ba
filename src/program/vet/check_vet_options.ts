import type { FaultName } from "../../lab/faults/catalogue.ts";
import { selectVetVariants } from "../../lab/vet/vet_variants.ts";
import { messageOf } from "../../server/util/text/error_message.ts";
import { type Invocation, valueOf } from "../command_line/command.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { reportPlaceProblem } from "./failed_tests.ts";
import type { VettedLabs } from "./open_vetted_lab.ts";
import { variableProblem } from "./suite_environment.ts";
import { namesJob, namesLab } from "./suite_target.ts";
import { fileProblem, readFileTemplate } from "./written_files.ts";

/** Checks the options that only make sense together. */
export function checkVetOptions(invocation: Invocation, labs: Pick<VettedLabs, "issuer">): void {
  checkEach(invocation, "env", variableProblem);
  checkEach(invocation, "file", fileProblem);
  checkEach(invocation, "test-report", reportPlaceProblem);
  checkReachable(invocation);
  checkJobs(invocation, labs);
  try {
    selectVetVariants(invocation.values.get("only") as readonly FaultName[] | undefined);
  } catch (cause) {
    throw new UsageError(messageOf(cause));
  }
}

/** The value may be a credential, so only its name is repeated. */
function checkEach(
  { values }: Invocation,
  option: string,
  problemOf: (value: string) => string | undefined,
): void {
  for (const value of values.get(option) ?? []) {
    const problem = problemOf(value);
    if (problem !== undefined) {
      throw new UsageError(`--${option} ${value.split("=")[0]} ${problem}`);
    }
  }
}

/** A suite that cannot know where the lab is would never reach it. */
function checkReachable({ values, childCommand = [] }: Invocation): void {
  const texts = [...values.get("env") ?? [], ...childCommand];
  if (values.has("file") || values.has("port") || texts.some(namesLab)) return;
  throw new UsageError(
    "Your tests need to know where the lab is. " +
      "Write --env ISSUER={issuer} with the variable that they read, --file PATH=TEMPLATE, or " +
      "--port 9000 for a fixed port.",
  );
}

function checkJobs(invocation: Invocation, { issuer }: Pick<VettedLabs, "issuer">): void {
  if (Number(valueOf(invocation, "jobs") ?? 1) === 1) return;
  if (issuer !== undefined) {
    throw new UsageError("--jobs needs labs with an issuer each: remove the issuer.");
  }
  const files = (invocation.values.get("file") ?? []).map(readFileTemplate);
  const shared = files.find(({ path }) => !namesJob(path));
  if (shared === undefined) return;
  throw new UsageError(
    `--jobs needs a file for each job: write --file with {job} in ${shared.path}.`,
  );
}
