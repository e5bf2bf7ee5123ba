import { redactOutput } from "../../../lab/recording/redact.ts";
import { messageOf } from "../../../server/util/text/error_message.ts";
import { parseJson } from "../../../server/util/text/json.ts";
import { type Invocation, valueOf } from "../../command_line/command.ts";
import { printableJson } from "../../command_line/listing.ts";
import { readTextFile, writeTextFile } from "../../configuration/program_config.ts";
import { version } from "../../terminal/own_name.ts";
import { printable } from "../../terminal/printable.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { UsageError } from "../../terminal/usage_error.ts";
import { wrap } from "../../terminal/wrap.ts";
import { vetToJson } from "./formats/vet_json.ts";
import { vetToJunit } from "./formats/vet_junit.ts";
import { vetToText } from "./formats/vet_text.ts";
import { createBaseline, readBaseline, type VetBaseline } from "./result/vet_baseline.ts";
import type { VetResult } from "./result/vet_result.ts";
import type { VetVerdict } from "./result/vet_verdict.ts";

const width = 80;

/** Returns what `vet` prints before it begins. */
export function formatIntroduction(words: readonly string[], runs: number): string {
  return wrap(
    `This runs '${
      printable(redactOutput(words.join(" ")))
    }' up to ${runs} times, each time with everything that ` +
      "it does to the world: to databases, files, mail and other services.",
    width,
  ).join("\n");
}

/** Prints a result, and writes the files that the command line names. */
export async function reportResult(
  invocation: Invocation,
  { print }: Terminal,
  result: VetResult,
  verdict: VetVerdict,
): Promise<void> {
  await writeTextFile(valueOf(invocation, "junit"), vetToJunit(result, verdict));
  await writeTextFile(
    valueOf(invocation, "write-baseline"),
    `${JSON.stringify(createBaseline(result, version), null, 2)}\n`,
  );
  if (invocation.values.has("json")) print(printableJson(vetToJson(result, verdict, version)));
  else print(`\n${vetToText(result, verdict)}`);
}

/** Reads the baseline that the command line names. */
export async function readGivenBaseline(invocation: Invocation): Promise<VetBaseline | undefined> {
  const path = valueOf(invocation, "baseline");
  if (path === undefined) return undefined;
  try {
    return readBaseline(parseJson(await readTextFile(path)));
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`The file ${path} is no baseline. ${messageOf(cause)}`);
  }
}
