import { writeSync } from "node:fs";
import process from "node:process";
import type { TerminalPrompt } from "./terminal.ts";

/**
 * Writes to standard output without blocking the program. On Deno, `process.stdout` and the console
 * wait for a full pipe; on Bun, the console does.
 */
export const writeOutput: (text: string) => Promise<void> = "Deno" in globalThis
  ? writeOnDeno
  : writeOnNode;

// A reader that has gone also raises an event, which would end the process.
if (!("Deno" in globalThis)) process.stdout.on("error", () => {});

/** Writes what is left when the process ends. */
export function writeLastOutput(text: string): void {
  try {
    if (text !== "") writeSync(process.stdout.fd, text);
  } catch {
    // The reader has gone, or its pipe is full.
  }
}

async function writeOnDeno(text: string): Promise<void> {
  let bytes = new TextEncoder().encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(await Deno.stdout.write(bytes));
}

/** Writes on Node and on Bun, which has the same stream. */
function writeOnNode(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (cause) => cause ? reject(cause) : resolve());
  });
}

/** Reads standard input, line by line, to its end. */
export function inputLines(): AsyncGenerator<string> {
  return linesOf(process.stdin);
}

/** Yields the lines of UTF-8 that arrives in chunks. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

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
