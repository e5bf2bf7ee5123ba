import { assertEquals } from "@std/assert";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, it } from "node:test";
import { childEnvironment, fillIn } from "../../../../src/program/features/exec/start_child.ts";
import type { LabTarget } from "../../../../src/program/lab/child_lab.ts";
import { inFolder } from "../../../support/folder.ts";

const target: LabTarget = {
  issuer: "http://localhost:9001",
  port: 9001,
  lab: "http://localhost:9001/lab",
  ca: undefined,
};

describe("The environment of a command", () => {
  it("has ours, without what configures Hallpass, and what the command line sets", async () => {
    const environment = {
      PATH: "/bin",
      HALLPASS_SECRET: "a",
      HALLPASS_LAB_TOKEN: "b",
      HALLPASS_STORE: "postgres://user:password@host/db",
      hallpass_config_json: "{}",
    };
    const variables = ["ISSUER={issuer}", "PATH=/bin:{port}", "HALLPASS_URL={lab}", "EMPTY="];
    assertEquals(await childEnvironment(environment, variables, target), {
      PATH: "/bin:9001",
      ISSUER: "http://localhost:9001",
      HALLPASS_URL: "http://localhost:9001/lab",
      EMPTY: "",
    });
  });

  it("lacks the Node that npx or bunx has put before all others to run us, and no other program", () =>
    inFolder(async (folder) => {
      const node = join(folder, "_npx", "a", "node_modules", ".bin");
      const bun = join(folder, "bun-node-0-a7733435c");
      const other = join(folder, "_npx", "b", "node_modules", ".bin");
      for (const bin of [node, bun, other]) await mkdir(bin, { recursive: true });
      for (const bin of [node, bun]) await writeFile(join(bin, "node"), "");
      const programs = [bun, node, other, folder, "/usr/bin"];
      for (const name of ["PATH", "Path"]) {
        const given = { [name]: programs.join(delimiter) };
        assertEquals(await childEnvironment(given, [], target), {
          [name]: [other, folder, "/usr/bin"].join(delimiter),
        });
      }
    }));

  it("has every placeholder replaced, and nothing else in braces", () => {
    const text = '{issuer} {port} {lab} {ca} {"a": {}} {other}';
    const filled = `${target.issuer} 9001 ${target.lab}  {"a": {}} {other}`;
    assertEquals(fillIn(text, target), filled);
  });
});
