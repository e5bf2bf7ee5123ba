import { type Invocation, valueOf } from "../../command_line/command.ts";
import { writeTextFile } from "../../configuration/program_config.ts";
import { type LabTarget, openChildLab } from "../../lab/child_lab.ts";
import { checkMayStart, shellCodeOf } from "../../processes/child_process.ts";
import { catchSignals, endLeftovers, endWithThisProcess } from "../../processes/process_groups.ts";
import { noTraffic, notStarted, success } from "../../terminal/exit_code.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { verdictOnRun } from "../report/run_report_command.ts";
import { checkVariables, NotStartedError, startChild } from "./start_child.ts";

/** Runs a command with a lab, prints the report of the lab, and returns the exit code. */
export async function runExecCommand(invocation: Invocation, terminal: Terminal): Promise<number> {
  checkMayStart("exec");
  checkVariables(invocation);
  const { lab, target, close } = await openChildLab(invocation, terminal);
  try {
    terminal.printError(`hallpass exec: ISSUER=${target.issuer}, flows at ${target.lab}/flows`);
    const code = await runChild(invocation, terminal, target);
    const demand = valueOf(invocation, "report") ?? "violations";
    const { text, verdict, note, junit } = verdictOnRun(lab, { refused: demand === "any" });
    await writeTextFile(valueOf(invocation, "junit"), junit);
    if (demand === "off") return code;
    terminal.printError(text);
    if (code !== success) return code;
    const closing = verdict === success ? note : describeVerdict(verdict);
    if (closing !== undefined) terminal.printError(closing);
    return verdict;
  } catch (cause) {
    if (!(cause instanceof NotStartedError)) throw cause;
    terminal.printError(cause.message);
    return notStarted;
  } finally {
    await close();
  }
}

function describeVerdict(verdict: number): string {
  const closing = `The command succeeded, but the report did not: exit code ${verdict}.`;
  if (verdict !== noTraffic) return closing;
  return "Does the application read its issuer from ISSUER? Tests that open a lab in their " +
    `own process need no hallpass exec: assertClean() is their report.\n${closing}`;
}

/** Runs the command to its end, with every process that it starts, and returns its exit code. */
async function runChild(
  { childCommand = [], values }: Invocation,
  { environment }: Terminal,
  target: LabTarget,
): Promise<number> {
  const variables = ["ISSUER={issuer}", ...values.get("env") ?? []];
  const child = { words: childCommand, variables, environment };
  const signals = catchSignals();
  try {
    const command = await startChild(child, target);
    signals.to(command);
    const forget = endWithThisProcess(command);
    const end = await command.ended;
    await endLeftovers(command);
    forget();
    return shellCodeOf(end);
  } finally {
    signals.end();
  }
}
