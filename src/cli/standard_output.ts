import process from "node:process";

/**
 * Writes to standard output without stopping anything else. On Deno, `process.stdout` and the console
 * wait for a full pipe; on Bun the console does.
 */
export const writeOut: (text: string) => Promise<void> = "Deno" in globalThis
  ? writeOnDeno
  : writeOnNode;

async function writeOnDeno(text: string): Promise<void> {
  let bytes = new TextEncoder().encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(await Deno.stdout.write(bytes));
}

/** Bun has the same stream. */
function writeOnNode(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (cause) => cause ? reject(cause) : resolve());
  });
}

// A reader that left is an event of the stream besides, which would end the process.
if (!("Deno" in globalThis)) process.stdout.on("error", () => {});
