import { assertEquals, assertRejects } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readAgain } from "../../../../src/program/features/watch/operate/follow_in_serve.ts";
import type { AccompaniedServer } from "../../../../src/program/operate/companion.ts";
import { memoryStore } from "../../../../src/server/store/memory.ts";
import { terminalWith } from "../../../support/command_line.ts";
import { inFolder } from "../../../support/folder.ts";

const issuer = "https://id.example";

/** Reads a module that opens a store, and returns how many of its stores were closed. */
async function closedAfter(clients: string, act: (again: Promise<unknown>) => Promise<void>) {
  const counts = { closed: 0 };
  Object.assign(globalThis, { countsOfTest: counts });
  await inFolder(async (folder) => {
    const config = join(folder, "hallpass.config.mjs");
    await writeFile(
      config,
      `const store = { close: async () => void (globalThis.countsOfTest.closed += 1) };
       export default { issuer: "${issuer}", store, clients: ${clients} };`,
    );
    const server = {
      invocation: { command: "serve", values: new Map([["config", [config]]]) },
      terminal: terminalWith({}).terminal,
      configuration: { program: { store: memoryStore() } },
      running: { server: { issuer } },
    };
    await act(readAgain(server as unknown as AccompaniedServer));
  });
  return counts.closed;
}

describe("The configuration of a server that is read again", () => {
  it("leaves no store open that a module opens each time, whether it is valid or not", async () => {
    const closed = [
      await closedAfter("[]", async (again) => void await again),
      await closedAfter("[{ id: 1 }]", async (again) => void await assertRejects(() => again)),
    ];
    assertEquals(closed, [1, 1]);
  });
});
