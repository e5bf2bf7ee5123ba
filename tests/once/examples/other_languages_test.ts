import { assertEquals, assertMatch } from "@std/assert";
import { spawnSync } from "node:child_process";
import { chmod, cp, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { runCommand } from "../../../scripts/child.ts";
import { inFolder } from "../../support/folder.ts";
import { commandFor, startProgram } from "../../support/program.ts";

/** An example in another language, and its test runner. */
interface Example {
  folder: string;
  /** Prints its version; the number that `version` finds must be at least `atLeast`. */
  tool: string[];
  version: RegExp;
  atLeast: number;
  command: string[];
}

const python: Example = {
  folder: "python",
  tool: ["python3", "-m", "pytest", "--version"],
  version: /pytest (\d+)/,
  atLeast: 7,
  command: ["python3", "-m", "pytest", "-q"],
};

const examples: Example[] = [
  python,
  {
    folder: "go",
    tool: ["go", "version"],
    version: /go1\.(\d+)/,
    atLeast: 24,
    command: ["go", "test", "-count=1", "./..."],
  },
  {
    folder: "java",
    tool: ["mvn", "-v"],
    version: /Java version: (\d+)/,
    atLeast: 17,
    command: ["mvn", "-q", "-B", "-ntp", "test"],
  },
];

/** Helpers to copy, each tested with a library that nobody here wrote. */
const helpers: Example[] = [
  {
    ...python,
    folder: "pytest",
    command: [
      "sh",
      "-c",
      "python3 -m venv --system-site-packages .venv && " +
      ".venv/bin/pip install -q --disable-pip-version-check -r requirements.txt && " +
      ".venv/bin/python -m pytest -q",
    ],
  },
  {
    folder: "gooidc",
    tool: ["go", "version"],
    version: /go1\.(\d+)/,
    atLeast: 24,
    command: ["go", "test", "-count=1", "./..."],
  },
  {
    folder: "spring",
    tool: ["mvn", "-v"],
    version: /Java version: (\d+)/,
    atLeast: 17,
    command: ["mvn", "-q", "-B", "-ntp", "test"],
  },
];

/** The first run is slow: Go compiles its library, and Maven fetches its plugins. In milliseconds. */
const setupTimeout = 300_000;

/** Returns why an example cannot run on this machine, or false. */
function reasonToSkip({ tool, version, atLeast }: Example): string | false {
  const [program = "", ...args] = tool;
  const { stdout, stderr } = spawnSync(program, args, {
    encoding: "utf8",
    env: { ...process.env, GOTOOLCHAIN: "local" },
  });
  const found = version.exec(`${stdout}${stderr}`)?.[1];
  if (found === undefined) return `this machine has no '${tool.slice(0, -1).join(" ")}'`;
  return Number(found) < atLeast &&
    `'${program}' has version ${found}; version ${atLeast} is required`;
}

/** Runs an example in a copy of its folder, with a `hallpass` on the path. */
async function runExample({ folder, command: runner }: Example, env: Record<string, string> = {}) {
  return await inFolder(async (place) => {
    await cp(join("tests/examples", folder), join(place, folder), { recursive: true });
    await mkdir(join(place, "bin"));
    const command = commandFor("src/main.ts");
    const words = [...command.slice(0, -1), resolve(command.at(-1)!)].map((word) => `'${word}'`)
      .join(" ");
    await writeFile(join(place, "bin", "hallpass"), `#!/bin/sh\nexec ${words} "$@"\n`);
    await chmod(join(place, "bin", "hallpass"), 0o755);
    const path = `${join(place, "bin")}:${process.env.PATH}`;
    return await runCommand(runner, {
      cwd: join(place, folder),
      timeout: setupTimeout,
      env: { PATH: path, GOTOOLCHAIN: "local", ...env },
    });
  });
}

describe("A test suite in another language", () => {
  for (const example of examples) {
    it(`starts a lab, logs in and reads the record, in ${example.folder}`, {
      skip: reasonToSkip(example),
    }, async () => {
      const { code, output } = await runExample(example);
      assertEquals(code, 0, output);
    });
  }

  for (const helper of helpers) {
    it(`copies the helper in tests/examples/${helper.folder}`, {
      skip: reasonToSkip(helper),
    }, async () => {
      const { code, output } = await runExample(helper);
      assertEquals(code, 0, output);
    });
  }

  it("uses a running lab with its token", { skip: reasonToSkip(python) }, async () => {
    const lab = await startProgram([
      "lab",
      "--port",
      "0",
      "--lab-token",
      "a-token-of-32-letters-and-digits",
    ]);
    const { code, output } = await runExample(python, {
      HALLPASS_URL: lab.issuer,
      HALLPASS_LAB_TOKEN: "a-token-of-32-letters-and-digits",
    });
    const { output: refused } = await runExample(python, { HALLPASS_URL: lab.issuer });
    await lab.stop();
    assertEquals(code, 0, output);
    assertMatch(refused, /HTTP Error 401/);
  });
});
