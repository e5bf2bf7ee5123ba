import type { CoreLab } from "../../core/core_lab.ts";
import { LabError } from "../../util/lab_error.ts";
import { type AgentResult, type AgentTool, entryOf } from "../agents/agent_tool.ts";
import { type BreakCall, callSchemas } from "../agents/calls.ts";
import { catalogue, type FaultName, findFault } from "./catalogue.ts";
import type { Fault } from "./fault.ts";
import type { FaultTools } from "./feature.ts";

/** The faults that are on, and how often each one fired. */
export interface ActiveFaults {
  /** The faults. */
  faults: Fault[];
  /** How many more there are. */
  more: number;
}

/** How many faults a message lists that words fit. */
const maxCandidates = 10;

/** The tool that makes the lab misbehave. */
export const breakTool: AgentTool = {
  name: "break",
  title: "Break something on purpose",
  description: "Makes the lab misbehave, to see how the application handles it: expired or " +
    "forged tokens, errors, slow responses, wrong callbacks. Name a fault, or say it in words: " +
    "words that fit several list them, and change nothing. off ends a fault, or all.",
  body: { name: "BreakCall", schema: callSchemas.BreakCall },
  returns: "ActiveFaults",
  // Every lab has its features.
  run: (lab, args) => breakLab(lab as CoreLab & FaultTools, args),
};

function breakLab(
  lab: CoreLab & FaultTools,
  { fault, client, times, off }: BreakCall,
): AgentResult {
  if (client !== undefined) lab.clients.get(client);
  if (off === true) return switchOff(lab, fault);
  if (fault === undefined) return describeFaults(lab);
  const name = faultOfWords(fault, [...catalogue.keys()]);
  // Its error suggests a name.
  if (name === undefined) findFault(fault);
  lab.faults.add({
    name: (name ?? fault) as FaultName,
    ...client !== undefined && { client },
    ...times !== undefined && { times },
  });
  const what = `${name} is on: ${catalogue.get(name ?? "")?.summary ?? ""}`;
  return describeFaults(lab, `${what} Use the application now, then call explain or report.`);
}

function switchOff({ faults }: CoreLab & FaultTools, words: string | undefined): AgentResult {
  if (words === undefined) {
    faults.clear();
    return describeFaults({ faults });
  }
  const active = faults.list();
  const names = [...new Set(active.map((each) => each.name))];
  const name = faultOfWords(words, names);
  if (name === undefined) throw new LabError(`No fault '${words}' is on. On: ${names.join(", ")}.`);
  for (const each of active.filter((each) => each.name === name)) faults.remove(each.id);
  return describeFaults({ faults });
}

function describeFaults({ faults }: Pick<FaultTools, "faults">, first?: string): AgentResult {
  const active = faults.list().map((fault) => entryOf(fault, faultLine));
  const title = active.length > 0 ? "Faults that are on:" : "No fault is on.";
  const rows = [...first === undefined ? [] : [first], title, ...active];
  return { rows, value: {}, list: "faults" };
}

function faultLine({ name, client, fired }: Fault): string {
  return `${name}${client === undefined ? "" : ` for ${client}`}: fired ${fired} times`;
}

/**
 * Returns the fault that words fit, or undefined if they fit none.
 *
 * @throws {LabError} They fit several: a guess would test something else.
 */
function faultOfWords(words: string, names: readonly string[]): string | undefined {
  if (names.includes(words)) return words;
  const wanted = wordsIn(words);
  const inName = names.filter((name) => hasAll(wordsIn(name), wanted));
  const fitting = inName.length > 0
    ? inName
    : names.filter((name) => hasAll(wordsIn(`${name} ${catalogue.get(name)?.summary}`), wanted));
  if (wanted.length === 0) return undefined;
  if (fitting.length > 1) throw new LabError(candidatesOf(words, fitting));
  return fitting[0];
}

function candidatesOf(words: string, fitting: readonly string[]): string {
  const lines = fitting.slice(0, maxCandidates)
    .map((name) => `${name}: ${catalogue.get(name)?.summary ?? ""}`);
  const left = fitting.length - maxCandidates;
  return [
    `'${words}' fits ${fitting.length} faults, so nothing has changed. Call break with one name:`,
    ...lines,
    ...left > 0 ? [`… and ${left} more. Add a word.`] : [],
  ].join("\n");
}

function hasAll(words: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((word) => words.includes(word));
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);
}
