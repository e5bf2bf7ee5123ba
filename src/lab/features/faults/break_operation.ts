import { type Operation, operation } from "../../core/operation.ts";
import { LabError } from "../../util/lab_error.ts";
import { type BreakCall, callSchemas } from "./calls.ts";
import { catalogue, type FaultName, findFault } from "./catalogue.ts";
import type { Fault } from "./fault.ts";
import type { FaultTools } from "./feature.ts";

/** What a lab does wrong from now on. */
export interface Misbehavior {
  /** What has changed. */
  now?: string | undefined;
  /** The faults that are on. */
  faults: Fault[];
}

/** How many faults a message lists that words fit. */
const maxCandidates = 10;

/** Adds and removes faults by words, for who does not know their names. */
export const breakOperation: Operation<FaultTools> = operation("POST /break", {
  name: "break",
  page: { title: "Break the lab" },
  summary:
    "Makes the lab misbehave by words: expired or forged tokens, errors, slow responses, wrong callbacks. Those that fit several faults list them, and change nothing.",
  agents: "Use it to see how the application handles a fault, then call explain or report.",
  body: { name: "BreakCall", schema: callSchemas.BreakCall },
  values: { fault: () => [...catalogue.keys()] },
  example: { body: { fault: "expired id token" } },
  returns: "Misbehavior",
  run: (lab, { body }) => misbehave(lab, body),
});

type BreakLab = Parameters<typeof breakOperation.run>[0];

/** Adds the fault that words fit, or removes those that they fit. */
export function misbehave(lab: BreakLab, { fault, client, times, off }: BreakCall): Misbehavior {
  if (client !== undefined) lab.clients.get(client);
  if (off === true) switchOff(lab, fault);
  if (off === true || fault === undefined) return { faults: lab.faults.list() };
  const name = faultOfWords(fault, [...catalogue.keys()]);
  // Its error suggests a name.
  if (name === undefined) findFault(fault);
  lab.faults.add({
    name: (name ?? fault) as FaultName,
    ...client !== undefined && { client },
    ...times !== undefined && { times },
  });
  const now = `${name} is on: ${catalogue.get(name ?? "")?.summary ?? ""}`;
  return { now, faults: lab.faults.list() };
}

function switchOff({ faults }: FaultTools, words: string | undefined): void {
  if (words === undefined) return faults.clear();
  const active = faults.list();
  const names = [...new Set(active.map((each) => each.name))];
  const name = faultOfWords(words, names);
  if (name === undefined) throw new LabError(`No fault '${words}' is on. On: ${names.join(", ")}.`);
  for (const each of active.filter((each) => each.name === name)) faults.remove(each.id);
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
