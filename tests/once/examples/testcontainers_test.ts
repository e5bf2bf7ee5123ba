import { assertEquals } from "@std/assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { succeed } from "../../../scripts/child.ts";
import { reasonNotFetched } from "../../../scripts/downloads.ts";
import {
  startHallpass,
  type Testcontainers,
} from "../../examples/testcontainers/start_hallpass.ts";
import { inFolder } from "../../support/folder.ts";
import { findFreePort } from "../../support/free_port.ts";
import { checkTypes, compileProgram, unpackTypes } from "../../support/package.ts";
import { prepareExample, runExample } from "./language_example.ts";
import {
  go,
  java,
  python,
  reasonToSkip,
  testcontainersJava,
  testcontainersPython,
  toolchain,
} from "./languages.ts";

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

/** What runs the binary in place of a container, by language. */
const stubs = "tests/once/examples/testcontainers_stub";

const packages = ["testcontainers@12.0.4", "@types/node@24"];
const [skip = false] = (await Promise.all(packages.map(reasonNotFetched))).filter(Boolean);

describe("The starter for Testcontainers", () => {
  it("has no type errors, with the types of Testcontainers", { skip }, async () => {
    await inFolder(async (folder) => {
      await cp("tests/examples/testcontainers/", folder, { recursive: true });
      await cp(await unpackTypes(...packages), join(folder, "node_modules"), { recursive: true });
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
      await checkLab(lab.issuer, lab.labToken);
    } finally {
      await lab.stop();
    }
  });
});

const javaExample = await prepareExample(testcontainersJava);

describe("The starter for Testcontainers in Java", () => {
  it("compiles with Testcontainers", { skip: javaExample.skip }, async () => {
    const { code, output } = await runExample(javaExample);
    assertEquals(code, 0, output);
  });

  it("waits for the lab, which has its configuration from the environment", {
    skip: reasonToSkip(java),
  }, async () => {
    const sources = "tests/examples/testcontainers_java/src/test/java/shop/HallpassContainer.java";
    const parts = ["GenericContainer", "Wait", "DockerImageName", "Run"];
    const files = [sources, ...parts.map((name) => `${stubs}/${name}.java`)];
    await inFolder(async (folder) => {
      await succeed(["javac", "-d", folder, ...files], process.cwd());
      const [port, config] = [await findFreePort(), JSON.stringify({ users: [{ name: "zoe" }] })];
      const binary = `-Dbinary=${await compileProgram()}`;
      const child = spawn("java", [binary, "-cp", folder, "Run", String(port), config], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      const ended = once(child, "close");
      try {
        const [line] = await once(child.stdout, "data");
        await checkLab(...String(line).trim().split(" ") as [string, string]);
      } finally {
        child.stdin.end();
        await ended;
      }
    });
  });
});

/** A module in place of Testcontainers, whose dependencies take Go half a minute to compile. */
const goModule = `module shop

go 1.24

require github.com/testcontainers/testcontainers-go v0.39.0

replace github.com/testcontainers/testcontainers-go => ${resolve(stubs, "go")}
`;

describe("The starter for Testcontainers in Go", () => {
  it("compiles, and waits for the lab, which has its configuration from the environment", {
    skip: reasonToSkip(go),
  }, async () => {
    await inFolder(async (folder) => {
      await cp("tests/examples/testcontainers_go", folder, { recursive: true });
      await writeFile(join(folder, "go.mod"), goModule);
      await succeed(["go", "test", "-count=1", "./..."], folder, await labVariables());
    });
  });
});

const pythonExample = await prepareExample(testcontainersPython);

describe("The starter for Testcontainers in Python", () => {
  it("has no type errors, with the types of Testcontainers", {
    skip: pythonExample.skip,
  }, async () => {
    const { code, output } = await runExample(pythonExample);
    assertEquals(code, 0, output);
  });

  it("waits for the lab, which has its configuration from the environment", {
    skip: reasonToSkip(python),
  }, async () => {
    await inFolder(async (folder) => {
      await cp("tests/examples/testcontainers_python", folder, { recursive: true });
      const env = { ...await labVariables(), PYTHONPATH: resolve(stubs, "python") };
      await succeed(["python3", "-B", "-m", "pytest", "-q"], folder, env);
    });
  });
});

/** Returns what the tests of a starter have instead of Docker. */
async function labVariables(): Promise<Record<string, string>> {
  return {
    LAB_BINARY: await compileProgram(),
    LAB_PORT: String(await findFreePort()),
    ...toolchain,
  };
}

/** Checks that a lab is where its metadata says, needs its token, and has the configured users. */
async function checkLab(issuer: string, labToken: string): Promise<void> {
  const metadata = await fetch(`${issuer}/.well-known/openid-configuration`);
  assertEquals((await metadata.json()).issuer, issuer);
  const users = (headers = {}) => fetch(`${issuer}/lab/users`, { headers });
  const refused = await users();
  await refused.text();
  assertEquals(refused.status, 401);
  const response = await users({ Authorization: `Bearer ${labToken}` });
  assertEquals((await response.json()).map(({ name }: { name: string }) => name), ["zoe"]);
}
