import { assertEquals, assertMatch } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { inFolder } from "../support/folder.ts";
import { findFreePort } from "../support/free_port.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { launchProgram, runProgram } from "../support/program.ts";

const issuer = "https://id.example";

// Outside of the tests. It ends with this process.
const postgres = postgresMissing ? undefined : await startPostgres();
await postgres?.kill();

/** Calls `act` with the arguments of a server on a store, and with its ports. */
async function withArguments(
  store: string,
  act: (args: string[], port: number, metricsPort: number) => Promise<void>,
): Promise<void> {
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  await inFolder(async (folder) => {
    const file = join(folder, "hallpass.json");
    await writeFile(file, JSON.stringify({ issuer, port, metricsPort, store, alg: "EdDSA" }));
    await act(["serve", "--config", file], port, metricsPort);
  });
}

/** Whether a server listens on a port. */
async function isOpen(port: number): Promise<boolean> {
  return await fetch(`http://localhost:${port}/health`).then(
    async (response) => (await response.text(), true),
    () => false,
  );
}

describe("A server whose store is away", () => {
  const skip = postgresMissing;

  it(
    "R5, R9: opens the metrics port first, tries again, and then the main port",
    { skip },
    async () => {
      await withArguments(postgres?.url ?? "", async (args, port, metricsPort) => {
        const program = launchProgram(args);
        await program.line(
          /^(warning: Cannot open the store .* Trying again for up to 60 seconds\.)$/m,
        );
        const ready = await fetch(`http://localhost:${metricsPort}/ready`);
        assertEquals([ready.status, (await ready.json()).reason], [503, "The server is starting."]);
        assertEquals(await isOpen(port), false);
        await postgres?.start();
        await program.line(/^hallpass ready (\S+)/m);
        assertEquals(await isOpen(port), true);
        program.kill("SIGTERM");
        assertEquals(await program.exitCode, 0);
      });
    },
  );

  it("R9: stops at once when it is asked to", async () => {
    await withArguments(`postgres://owner@127.0.0.1:${await findFreePort()}/x`, async (args) => {
      const program = launchProgram(args);
      await program.line(/(Trying again)/);
      program.kill("SIGTERM");
      assertEquals(await program.exitCode, 0);
    });
  });

  it("R9: has an exit code of its own for commands, which do not try again", async () => {
    const store = `postgres://owner@127.0.0.1:${await findFreePort()}/x`;
    const { code, output } = await runProgram(["user", "list", "--store", store]);
    assertEquals(code, 3, output);
    assertMatch(output, /the connection was refused/);
  });
});

describe("A server whose main port is taken", () => {
  it("R5: ends with exit code 1, and says so", async () => {
    await withArguments("memory", async (args, port) => {
      const other = createServer().listen(port, "127.0.0.1");
      const { code, output } = await runProgram(args);
      other.close();
      assertEquals(code, 1, output);
      assertMatch(output, new RegExp(`port ${port} is already in use`));
    });
  });
});
