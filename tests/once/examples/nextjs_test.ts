import { assertMatch } from "@std/assert";
import { join } from "node:path";
import { describe, it } from "node:test";
import { succeed } from "../../../scripts/child.ts";
import { binary, reasonNotFetched } from "../../../scripts/downloads.ts";
import { installExamples } from "../../support/package.ts";

const unreachable = await reasonNotFetched("tests/examples");

/** Next.js would send what it learns about its use. */
const env = { NEXT_TELEMETRY_DISABLED: "1" };

const installNextjs = async () => join(await installExamples(), "nextjs");

describe("The Next.js application in tests/examples/nextjs", () => {
  it("signs a user in with Auth.js, in the real server", { skip: unreachable }, async () => {
    const folder = await installNextjs();
    // Next.js watches files until the process ends.
    const args = ["--test", "--test-force-exit", "login.test.ts"];
    const output = await succeed([await binary("node@24"), ...args], folder, env);
    assertMatch(output, /pass 1\n.*fail 0/);
  });

  it("signs a user in with Auth0's SDK, in its middleware", { skip: unreachable }, async () => {
    const folder = await installNextjs();
    const args = ["--test", "auth0/auth0.test.ts"];
    const output = await succeed([await binary("node@24"), ...args], folder, env);
    assertMatch(output, /pass 13\n.*fail 0/);
  });

  it("has no type errors", { skip: unreachable }, async () => {
    await succeed(
      [await binary("node@24"), "../node_modules/typescript/bin/tsc"],
      await installNextjs(),
    );
  });
});
