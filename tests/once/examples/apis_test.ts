import { assertMatch } from "@std/assert";
import { join } from "node:path";
import { describe, it } from "node:test";
import { succeed } from "../../../scripts/child.ts";
import { binary, reasonNotFetched } from "../../../scripts/downloads.ts";
import { installExamples } from "../../support/package.ts";

const unreachable = await reasonNotFetched("tests/examples");

describe("The libraries in tests/examples/apis/", () => {
  it("check tokens with the keys of a lab in the same process", { skip: unreachable }, async () => {
    const command = [await binary("node@24"), "--test", "apis.test.js"];
    const output = await succeed(command, join(await installExamples(), "apis"));
    assertMatch(output, /pass 42\n.*fail 0/);
    // A warning of Node would show a connection that is not cleaned up.
    assertMatch(output, /^(?!.*Warning)/s);
  });
});
