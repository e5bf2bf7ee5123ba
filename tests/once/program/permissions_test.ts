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
const documented = ".github/SECURITY.md";

const permissions = permissionsOf(deno.tasks.hallpass.command);

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

/** Returns each permission of the documentation, and what `start` has of it. */
async function documentedPermissions(): Promise<Array<[name: string, inStart: string]>> {
  const text = await readFile(documented, "utf8");
  const rows = text.matchAll(/^\| `((?:--allow-|[A-Z_*]+)[^`]*)` +\|[^|]+\| ([^|]+?) +\|$/gm);
  return [...rows].map(([, name = "", inStart = ""]) => [name, inStart]);
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

describe("The tasks that run the program", () => {
  for (const [name, { command }] of Object.entries(deno.tasks)) {
    if (!/^deno run .* src\/main\.ts\b/.test(command)) continue;
    it(`V8: \`${name}\` waits for no other Deno that looks after node_modules`, () => {
      assert(command.includes(" --node-modules-dir=manual "));
    });
  }
});

describe("The Deno permissions of the tasks", () => {
  it("are the same for serve and hallpass, and for start and dev but for late modules", () => {
    const { start, dev, serve } = deno.tasks;
    assertEquals(permissionsOf(serve.command), permissions);
    const late = "src,static,node_modules,";
    const withoutLate = permissionsOf(start.command).map((flag) => flag.replace(late, ""));
    assertEquals(permissionsOf(dev.command), withoutLate);
  });

  it("have a reason each", async () => {
    const names = permissions.map((flag) => flag.split("=")[0]);
    const rows = await documentedPermissions();
    assertEquals(rows.map(([name]) => name), [...names, ...variablesOf(permissions)]);
  });

  it("S18: are documented for start as they are", async () => {
    const given = (await documentedPermissions()).filter(([, inStart]) => inStart !== "no");
    const flags = given.filter(([name]) => name.startsWith("--")).map(([name, inStart]) => {
      const values = name === "--allow-env"
        ? given.map(([variable]) => variable).filter((variable) => !variable.startsWith("--"))
        : [...inStart.matchAll(/`([^`]+)`/g)].map(([, value]) => value);
      return `${name}=${values.join(",")}`;
    });
    assertEquals(permissionsOf(deno.tasks.start.command), flags);
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

  it("start no program: 'exec' has a task of its own, which it names", async () => {
    const { code, output } = await runProgram(["exec", "--", "echo", "started"]);
    assertEquals(code, 2, output);
    assertMatch(output, /^Deno does not let .* deno task exec …\n$/);
  });

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
