import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { describe, it } from "node:test";
import { bundle } from "../../../scripts/bundle.ts";
import { binary } from "../../../scripts/npx.ts";
import { installLoaders, succeed } from "../../support/package.ts";

/** The oldest Node that the library supports. */
const oldestNode = "node@20.19";

const compilers = [
  { compiler: "typescript", resolutions: ["commonjs node", "node16 node16", "nodenext nodenext"] },
  {
    compiler: "typescript-5.0",
    resolutions: ["commonjs node", "node16 node16", "nodenext nodenext", "esnext bundler"],
  },
];

async function onOldestNode(...args: string[]): Promise<string> {
  return await succeed([await binary(oldestNode), ...args], await installLoaders());
}

describe("The npm package in other loaders", () => {
  it("runs under Jest's defaults in CommonJS, on the oldest Node", async () => {
    const args = ["--ci", "--selectProjects", "jest"];
    assertMatch(await onOldestNode("node_modules/jest/bin/jest.js", ...args), /2 passed, 2 total/);
  });

  it("runs under ts-jest with TypeScript 4.9", async () => {
    const args = ["--ci", "--selectProjects", "ts-jest"];
    assertMatch(await onOldestNode("node_modules/jest/bin/jest.js", ...args), /2 passed, 2 total/);
  });

  it("runs in the test of a Nest application, whose guard verifies its tokens", async () => {
    const args = ["--ci", "--selectProjects", "nest"];
    assertMatch(await onOldestNode("node_modules/jest/bin/jest.js", ...args), /2 passed, 2 total/);
  });

  it("runs under Mocha in CommonJS", async () => {
    assertMatch(
      await onOldestNode("node_modules/mocha/bin/mocha.js", "mocha.spec.js"),
      /1 passing/,
    );
  });

  it("is one copy, whether it is required or imported", async () => {
    assertEquals(JSON.parse(await onOldestNode("one_copy.cjs")), [true, true, true]);
  });

  for (const { compiler, resolutions } of compilers) {
    for (const resolution of resolutions) {
      it(`has types for ${compiler}, ${resolution}, without lib dom or skipLibCheck`, async () => {
        const [module = "", moduleResolution = ""] = resolution.split(" ");
        await onOldestNode(
          `node_modules/${compiler}/bin/tsc`,
          ...["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022", "--types", "node"],
          ...["--module", module, "--moduleResolution", moduleResolution, "types.ts"],
        );
      });
    }
  }

  it("is an authorization server in workerd", async () => {
    const folder = await installLoaders();
    const outfile = join(folder, "worker.bundle.mjs");
    bundle({ entryPoints: [join(folder, "worker.js")], outfile, platform: "browser" });
    const output = await succeed([await binary("node@24"), "miniflare.mjs", outfile], folder);
    assertEquals(JSON.parse(output), ["https://id.example", "Bearer"]);
  });
});
