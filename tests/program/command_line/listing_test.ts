import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Invocation } from "../../../src/program/command_line/command.ts";
import { printRows } from "../../../src/program/command_line/listing.ts";
import type { Terminal } from "../../../src/program/terminal/terminal.ts";

describe("A table of a command", () => {
  it("Y9: has as many rows as there are", () => {
    const printed: string[] = [];
    const terminal = { print: (text: string) => void printed.push(text) } as Terminal;
    const invocation = { values: new Map() } as unknown as Invocation;
    const rows = Array.from({ length: 300_000 }, (_, n) => ({ id: `${n}` }));
    printRows(invocation, terminal, rows, "none");
    assertEquals(printed[0]?.split("\n").length, 300_001);
  });
});
