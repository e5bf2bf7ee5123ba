import { assertStringIncludes } from "@std/assert";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { suites } from "../scripts/suites/run_suite.ts";
import { present } from "./support/present.ts";

const read = (path: string) => readFile(path, "utf8");

/** Returns what a file pins, by the first group of a pattern. */
async function pinned(path: string, pattern: RegExp): Promise<string> {
  return present(pattern.exec(await read(path))?.[1]);
}

async function pinnedByNpm(name: string): Promise<string> {
  const { dependencies } = JSON.parse(await read("tests/examples/package.json"));
  return present(dependencies[name]);
}

const python = () => pinned("tests/examples/mcp/python/requirements.txt", /^mcp==(.+)$/m);
const go = () => pinned("tests/examples/mcp/go/go.mod", /go-sdk v(\S+)/);
const inspector = () =>
  present(suites.find(({ package: name }) => name.endsWith("/inspector"))?.version);

describe("The tables of the official MCP SDKs", () => {
  const page = ".github/MCP.md";
  const examples = "tests/examples/mcp/README.md";
  const rows: Array<
    [path: string, name: string, version: () => Promise<string> | string]
  > = [
    [page, "`@modelcontextprotocol/client`", () => pinnedByNpm("@modelcontextprotocol/client")],
    [page, "`@modelcontextprotocol/server`", () => pinnedByNpm("@modelcontextprotocol/server")],
    [page, "`@modelcontextprotocol/sdk`", () => pinnedByNpm("@modelcontextprotocol/sdk")],
    [page, "`mcp`", python],
    [page, "`go-sdk`", go],
    [page, "Inspector", inspector],
    [examples, "`server`", () => pinnedByNpm("@modelcontextprotocol/server")],
    [examples, "Python", python],
    [examples, "Go", go],
    [examples, "@modelcontextprotocol/inspector@", inspector],
    [examples, "TypeScript", () => pinnedByNpm("@modelcontextprotocol/client")],
    [
      ".github/SPECIFICATIONS.md",
      "[MCP Inspector](../tests/examples/suites/mcp_inspector.test.ts)",
      inspector,
    ],
  ];
  for (const [path, name, version] of rows) {
    it(`name the version of ${name} that was tried, in ${path}`, async () => {
      const separator = name.endsWith("@") ? "" : " ";
      assertStringIncludes(await read(path), `${name}${separator}${await version()}`);
    });
  }
});
