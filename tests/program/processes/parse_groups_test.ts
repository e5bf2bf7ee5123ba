import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { parseGroups } from "../../../src/program/processes/process_groups.ts";

describe("parseGroups", () => {
  it("reads the group of each process, but of no zombie", () => {
    assertEquals(parseGroups("  1 Ss\n 10 S\n 12 R+\n 10 D\n 14 Z\n"), [1, 10, 12, 10]);
  });

  it("reads nothing else", () => assertEquals(parseGroups("ps: not found\n"), []));
});
