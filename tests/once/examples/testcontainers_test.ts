import { assertEquals } from "@std/assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import {
  startHallpass,
  type Testcontainers,
} from "../../examples/testcontainers/start_hallpass.ts";
import { inFolder } from "../../support/folder.ts";
import { findFreePort } from "../../support/free_port.ts";
import { checkTypes, compileProgram, fetchTypes } from "../../support/package.ts";

/** Runs the binary in place of a container, with the environment and the wait strategy of one. */
function childProcesses(binary: string): Testcontainers {
  class ChildProcess {
    #environment: Record<string, string> = {};
    #message = /never/;

    withEnvironment(environment: Record<string, string>): this {
      this.#environment = environment;
      return this;
    }

    withExposedPorts({ container, host }: { container: number; host: number }): this {
      assertEquals(container, host);
      return this;
    }

    withWaitStrategy(strategy: unknown): this {
      if (strategy instanceof RegExp) this.#message = strategy;
      return this;
    }

    async start(): Promise<{ stop(): Promise<unknown> }> {
      const child = spawn(binary, ["lab"], {
        env: { PATH: process.env.PATH, ...this.#environment },
      });
      let output = "";
      child.stdout.setEncoding("utf8");
      child.stderr.setEncoding("utf8").on("data", (text: string) => output += text);
      const ended = once(child, "close");
      const ready = new Promise<void>((resolve) =>
        child.stdout.on("data", (text: string) => {
          output += text;
          if (this.#message.test(output)) resolve();
        })
      );
      await Promise.race([ready, ended]);
      if (child.exitCode !== null) throw new Error(output);
      return {
        async stop() {
          child.kill("SIGTERM");
          await ended;
        },
      };
    }
  }
  return { GenericContainer: ChildProcess, Wait: { forLogMessage: (message) => message } };
}

const { types, skip } = await fetchTypes("testcontainers@12.0.4", "@types/node@24");

describe("The starter for Testcontainers", () => {
  it("has no type errors, with the types of Testcontainers", { skip }, async () => {
    await inFolder(async (folder) => {
      await cp("tests/examples/testcontainers/", folder, { recursive: true });
      await cp(types, join(folder, "node_modules"), { recursive: true });
      const { code, output } = await checkTypes(folder, ["login.test.ts", "--types", "node"]);
      assertEquals(code, 0, output);
    });
  });

  it("waits for the lab, which has its configuration from the environment", async () => {
    const port = await findFreePort();
    const lab = await startHallpass(childProcesses(await compileProgram()), "hallpass", {
      port,
      users: [{ name: "zoe" }],
    });
    try {
      const metadata = await fetch(`${lab.issuer}/.well-known/openid-configuration`);
      assertEquals((await metadata.json()).issuer, lab.issuer);
      const users = (headers = {}) => fetch(`${lab.issuer}/lab/users`, { headers });
      assertEquals((await users()).status, 401);
      const response = await users({ Authorization: `Bearer ${lab.labToken}` });
      assertEquals((await response.json()).map(({ name }: { name: string }) => name), ["zoe"]);
    } finally {
      await lab.stop();
    }
  });
});
