import { assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { findFault } from "../../../../src/lab/features/faults/catalogue.ts";

describe("findFault", () => {
  it("lists the faults first that begin like an unknown name, or are its beginning", () => {
    const { message } = assertThrows(() => findFault("token.slow_responses_please"), Error);
    assertMatch(message, /such as token\.slow\b/);
  });
});
