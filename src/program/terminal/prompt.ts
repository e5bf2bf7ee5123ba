import process from "node:process";
import type { TerminalPrompt } from "./terminal.ts";

/** Returns the prompt of the terminal, or undefined if standard input is a file or a pipe. */
export function terminalPrompt(): TerminalPrompt | undefined {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return undefined;
  return {
    ask: (question) => readLine(question, true),
    askSecret: (question) => readLine(question, false),
  };
}

/**
 * Reads a line. The question comes after readline took over: until then, the terminal itself would
 * show what is typed.
 */
async function readLine(question: string, isShown: boolean): Promise<string> {
  const { createInterface } = await import("node:readline");
  const { Writable } = await import("node:stream");
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (isShown) process.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  process.stderr.write(question);
  try {
    return await new Promise((resolve, reject) => {
      lines.once("line", resolve);
      lines.once("SIGINT", () => reject(new Error("Canceled.")));
      lines.once("close", () => reject(new Error("Canceled.")));
    });
  } finally {
    lines.close();
    if (!isShown) process.stderr.write("\n");
  }
}
