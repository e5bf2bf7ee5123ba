import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import deno from "../../../deno.json" with { type: "json" };
import { inFolder } from "../../support/folder.ts";
import { present } from "../../support/present.ts";
import { runProgram, startProgram } from "../../support/program.ts";

/** Where each permission has its reason. */
const documented = ".github/CONTRIBUTING.md";

const permissions = permissionsOf(deno.tasks.start.command);

function permissionsOf(command: string): string[] {
  return command.split(" ").filter((word) => word.startsWith("--allow-"));
}

function variablesOf(flags: readonly string[]): string[] {
  return present(flags.find((flag) => flag.startsWith("--allow-env="))).split("=")[1]?.split(",") ??
    [];
}

/** Returns the command of the program without a permission, or without one variable. */
function commandWithout(name: string): string[] {
  const flags = permissions.filter((flag) => flag !== name).map((flag) => {
    if (!flag.startsWith("--allow-env=")) return flag;
    const variables = variablesOf([flag]).filter((variable) => variable !== name);
    return `--allow-env=${variables.join(",")}`;
  });
  const options = ["--cached-only", "--no-check", "--no-prompt"];
  return [process.execPath, "run", ...options, ...flags, "src/main.ts"];
}

/** What no longer works without a permission. The folder has a configuration for `serve`. */
const stopped: Array<[permission: string, args: (folder: string) => string[], message: RegExp]> = [
  ["--allow-net", () => ["lab", "--port", "0"], /Cannot start the server: Requires net access/],
  ["--allow-net", serve, /Cannot start the server: Requires net access/],
  ["--allow-read", serve, /hallpass\.json cannot be read: Requires read access/],
  ["--allow-write", serve, /The store \S+ cannot be opened: Requires write access/],
  [
    "--allow-write",
    () => ["lab", "--port", "0", "--tls"],
    /hallpass-ca\.pem cannot be written: Requires write access/,
  ],
  ["HALLPASS_*", () => ["lab", "--port", "0"], /Requires env access to "HALLPASS_/],
  ["HALLPASS_*", serve, /Requires env access to "HALLPASS_/],
];

function serve(folder: string): string[] {
  return ["serve", "--config", join(folder, "hallpass.json")];
}

async function inConfiguredFolder(act: (folder: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const store = `sqlite:${join(folder, "hallpass.db")}`;
    await writeFile(
      join(folder, "hallpass.json"),
      JSON.stringify({ port: 0, alg: "EdDSA", store }),
    );
    await act(folder);
  });
}

describe("The Deno permissions of the tasks", () => {
  it("are the same for start, serve, hallpass and dev", () => {
    for (const task of ["serve", "hallpass", "dev"] as const) {
      assertEquals(permissionsOf(deno.tasks[task].command), permissions, task);
    }
  });

  it("have a reason each", async () => {
    const text = await readFile(documented, "utf8");
    const rows = [...text.matchAll(/^\| `((?:--allow-|[A-Z_*]+)[^`]*)` +\|/gm)];
    const names = permissions.map((flag) => flag.split("=")[0]);
    assertEquals(rows.map(([, name]) => name), [...names, ...variablesOf(permissions)]);
  });

  for (const [permission, args, message] of stopped) {
    it(`are needed: without ${permission}, ${args("FOLDER").join(" ")} ends`, async () => {
      await inConfiguredFolder(async (folder) => {
        const { code, output } = await runProgram(args(folder), {}, "", commandWithout(permission));
        assert(code === 1 || code === 2, output);
        assertMatch(output, message);
      });
    });
  }

  it("are needed: without PORT, the port of a hosting platform is not found", async () => {
    const read = await runProgram(["lab"], { PORT: "many" });
    assertMatch(read.output, /^PORT must be a port/);
    const lab = await startProgram(
      ["lab", "--port", "0"],
      { PORT: "many" },
      commandWithout("PORT"),
    );
    assertEquals(await lab.stop(), 0);
  });
});
