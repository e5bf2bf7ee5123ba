import { writeSync } from "node:fs";
import process from "node:process";

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
