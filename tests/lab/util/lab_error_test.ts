import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import { LabError } from "../../../src/lab/util/lab_error.ts";

describe("LabError", () => {
  it("has a field only if a setting is wrong: runtimes print it below the message", () => {
    const plain = new LabError("There is no user 'zoe'.");
    assertEquals([Object.keys(plain), inspect(plain).includes("field")], [["name"], false]);
    assertEquals(new LabError("A clock has no such time.", { field: "time" }).field, "time");
  });
});
