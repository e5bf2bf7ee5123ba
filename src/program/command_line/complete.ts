import type { Command } from "./command.ts";
import { choicesOf, type Option } from "./option.ts";

/** A word that may come next, and what it means. */
export interface Completion {
  word: string;
  meaning: string;
}

/**
 * Returns what the last word of a command line may become. The last word may be empty; nothing is
 * returned where the name of a file, or any text, is expected.
 */
export async function completionsOf(
  words: readonly string[],
  commands: readonly Command[],
): Promise<Completion[]> {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? "";
  const command = commandIn(before, commands);
  if (command?.takesCommand && before.includes("--")) return [];
  const candidates = command
    ? await wordsOfCommand(command, before, last)
    : wordsOfCommands(before, commands);
  return candidates.filter(({ word }) => word.startsWith(last));
}

/** Formats completions for the script of a shell. */
export function formatCompletions(completions: readonly Completion[]): string {
  return completions.map(({ word, meaning }) => `${word}\t${meaning}`).join("\n");
}

function commandIn(words: readonly string[], commands: readonly Command[]): Command | undefined {
  return commands.find(({ name }) => name.split(" ").every((word, at) => words[at] === word));
}

/** Returns the next words of all commands that begin like this: "client", then "add". */
function wordsOfCommands(before: readonly string[], commands: readonly Command[]): Completion[] {
  const candidates = new Map<string, Completion>();
  for (const { name, help } of commands) {
    const parts = name.split(" ");
    const word = parts[before.length];
    if (word === undefined || !before.every((each, at) => parts[at] === each)) continue;
    const isWhole = parts.length === before.length + 1;
    if (!candidates.has(word)) candidates.set(word, { word, meaning: isWhole ? help : "…" });
  }
  return [...candidates.values()];
}

async function wordsOfCommand(
  { name, options }: Command,
  before: readonly string[],
  last: string,
): Promise<Completion[]> {
  const previous = options.find((option) => `--${option.name}` === before.at(-1));
  if (previous?.valueName !== undefined) return await valuesOf(previous);
  const isOperand = before.length === name.split(" ").length;
  if (!last.startsWith("-")) return isOperand ? await knownWords(name) : [];
  const isLeft = ({ name, repeatable }: Option) => repeatable || !before.includes(`--${name}`);
  return options.filter(isLeft).map(({ name, help }) => ({ word: `--${name}`, meaning: help }));
}

async function valuesOf(option: Option): Promise<Completion[]> {
  const choices = choicesOf(option);
  return choices.length > 0 ? choices.map(toCompletion) : await knownWords(`--${option.name}`);
}

async function knownWords(name: string): Promise<Completion[]> {
  const { knownValuesOf } = await import("./known_values.ts");
  return (await knownValuesOf(name)).map(toCompletion);
}

function toCompletion(word: string): Completion {
  return { word, meaning: "" };
}
