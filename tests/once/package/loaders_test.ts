import { assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, it } from "node:test";
import { bundle } from "../../../scripts/bundle.ts";
import { runCommand, succeed } from "../../../scripts/child.ts";
import { binary, reasonNotFetched } from "../../../scripts/downloads.ts";
import { installLoaders } from "../../support/package.ts";
import { casesOfToday } from "../../support/turn.ts";

/** The oldest Node that the library supports. */
const oldestNode = "node@20.19";

/** Version 4.9 has no resolution for bundlers. In both, `nodenext` is `node16`. */
const compilers = [
  ["typescript", "commonjs node"],
  ["typescript-5.0", "nodenext nodenext"],
  ["typescript", "node16 node16"],
  ["typescript-5.0", "esnext bundler"],
] as const;

/** What Jest reports about a file. */
interface JestResult {
  name: string;
  message: string;
  assertionResults: Array<{ status: string }>;
}

const reasons = await Promise.all([oldestNode, "tests/loaders"].map(reasonNotFetched));
const options = { skip: reasons.find((reason) => reason !== false) ?? false };

async function onOldestNode(...args: string[]): Promise<string> {
  return await succeed([await binary(oldestNode), ...args], await installLoaders());
}

let results: Promise<JestResult[]> | undefined;

/** Runs all projects at once, which takes a third of the time. */
function jestResults(): Promise<JestResult[]> {
  return results ??= (async () => {
    const report = join(await installLoaders(), "jest.json");
    const flags = ["--ci", "--runInBand", "--json", `--outputFile=${report}`];
    const command = [await binary(oldestNode), "node_modules/jest/bin/jest.js", ...flags];
    // It fails if a test does, which the report says, too.
    await runCommand(command, { cwd: await installLoaders(), timeout: 300_000 });
    return JSON.parse(await readFile(report, "utf8")).testResults;
  })();
}

describe("The npm package in other loaders", () => {
  const projects: Array<[file: string, tests: number, title: string]> = [
    ["jest.test.js", 2, "runs under Jest's defaults in CommonJS, on the oldest Node"],
    ["ts-jest.test.ts", 2, "runs under ts-jest with TypeScript 4.9"],
    ["nest.test.ts", 2, "runs in the test of a Nest application, whose guard verifies its tokens"],
  ];
  for (const [file, tests, title] of projects) {
    it(title, options, async () => {
      const result = (await jestResults()).find(({ name }) => basename(name) === file);
      const statuses = result?.assertionResults.map(({ status }) => status);
      assertEquals(statuses, Array(tests).fill("passed"), result?.message);
    });
  }

  it(
    "fails a test of hallpass/jest whose application was refused, and hides no failure",
    options,
    async () => {
      const result = (await jestResults()).find(({ name }) =>
        name.endsWith("jest-fixtures.test.js")
      );
      assertEquals(result?.assertionResults.map(({ status }) => status), [
        ...["passed", "failed", "failed", "passed", "pending", "passed"],
      ]);
      assertMatch(result?.message ?? "", /LabError: refused client\.named/);
      assertMatch(result?.message ?? "", /Received: "its own failure"/);
    },
  );

  it("runs under Mocha in CommonJS", options, async () => {
    assertMatch(
      await onOldestNode("node_modules/mocha/bin/mocha.js", "mocha.spec.js"),
      /2 passing/,
    );
  });

  it("is one copy, whether it is required or imported", options, async () => {
    assertEquals(JSON.parse(await onOldestNode("one_copy.cjs")), [true, true, true]);
  });

  for (const [compiler, resolution] of casesOfToday(compilers)) {
    it(
      `has types for ${compiler}, ${resolution}, without lib dom or skipLibCheck`,
      options,
      async () => {
        const [module = "", moduleResolution = ""] = resolution.split(" ");
        await onOldestNode(
          `node_modules/${compiler}/bin/tsc`,
          ...["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022", "--types", "node"],
          ...["--module", module, "--moduleResolution", moduleResolution, "types.ts"],
        );
      },
    );
  }

  it("is an authorization server in workerd", options, async () => {
    const folder = await installLoaders();
    const outfile = join(folder, "worker.bundle.mjs");
    bundle({ entryPoints: [join(folder, "worker.js")], outfile, platform: "browser" });
    const output = await succeed([await binary("node@24"), "miniflare.mjs", outfile], folder);
    assertEquals(JSON.parse(output), ["https://id.example", "Bearer"]);
  });
});
