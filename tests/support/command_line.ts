import { parseArguments } from "../../src/program/command_line/arguments.ts";
import { commands } from "../../src/program/commands.ts";
import { exitCodeOf } from "../../src/program/terminal/exit_code.ts";
import { explainError } from "../../src/program/terminal/explain_error.ts";
import { printableLines } from "../../src/program/terminal/printable.ts";
import type { Environment, Terminal } from "../../src/program/terminal/terminal.ts";

/** What a command finds at its terminal. */
interface TerminalSettings {
  /** What a person there answers; without any, it is a pipe. */
  answers?: string[];
  input?: string;
  environment?: Environment;
}

/** A terminal, what it asked, and what it shows. */
interface TestTerminal {
  terminal: Terminal;
  questions: string[];
  printed: string[];
}

export function terminalWith(
  { answers, input = "", environment = {} }: TerminalSettings,
): TestTerminal {
  const questions: string[] = [];
  const printed: string[] = [];
  const ask = (question: string) => {
    questions.push(question);
    return Promise.resolve(answers?.shift() ?? "");
  };
  const terminal: Terminal = {
    environment,
    isInteractive: answers !== undefined,
    print: (text) => void printed.push(text),
    printColored: (text) => void printed.push(text),
    printError: (text) => void printed.push(text),
    flush: () => Promise.resolve(),
    log: () => {},
    useJson: () => {},
    readInput: () => Promise.resolve(input),
    inputLines: async function* () {
      yield* input.split("\n");
    },
    prompt: answers && { ask, askSecret: ask },
    onStop: () => () => {},
  };
  return { terminal, questions, printed };
}

/**
 * Runs a command as the program does, but in this process, which takes a hundredth of the time.
 * Returns the exit code and what is printed.
 */
export async function runCommandLine(
  args: readonly string[],
  environment: Environment = {},
  input = "",
): Promise<{ code: number | undefined; output: string }> {
  const { terminal, printed } = terminalWith({ input, environment });
  const code = await run(args, terminal).catch((cause) => {
    printed.push(explainError(cause, args[0]));
    return exitCodeOf(cause);
  });
  return { code, output: printed.map((text) => `${printableLines(text)}\n`).join("") };
}

/** A server that a command has started in this process. */
export interface StartedCommandLine {
  issuer: string;
  output(): string;
  stop(): Promise<void>;
}

/** Starts a server as the program does, but in this process. */
export async function startCommandLine(
  args: readonly string[],
  environment: Environment = {},
): Promise<StartedCommandLine> {
  const { terminal, printed } = terminalWith({ environment });
  const output = () => printed.join("\n");
  const stops: Array<() => Promise<number | void>> = [];
  await run(args, {
    ...terminal,
    log: terminal.print,
    onStop: (stop) => {
      stops.push(stop);
      return () => {};
    },
  });
  return {
    issuer: /^hallpass ready (\S+)/m.exec(output())?.[1] ?? "",
    output,
    async stop() {
      for (const stop of stops) await stop();
    },
  };
}

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments([...args], terminal.environment, commands);
  if (parsed.kind !== "run") throw new Error(`No command: ${args.join(" ")}`);
  return await parsed.command.run(parsed.invocation, terminal) ?? 0;
}
