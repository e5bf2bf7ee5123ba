import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Invocation } from "../../../src/program/command_line/command.ts";
import { printRows, type TableRow } from "../../../src/program/command_line/listing.ts";
import { terminalWith } from "../../support/command_line.ts";

const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `${n}` }));

/** Returns what is printed, a page each. */
async function print(
  rows: Iterable<TableRow> | AsyncIterable<TableRow>,
  ...options: string[]
): Promise<string[]> {
  const { terminal, printed } = terminalWith({});
  const values = new Map(options.map((name) => [name, ["yes"]]));
  await printRows({ values } as unknown as Invocation, terminal, rows, "none");
  return printed;
}

describe("A table of a command", () => {
  it("Y9: has as many rows as there are", async () => {
    const printed = await print(rowsOf(300_000));
    assertEquals(printed.join("\n").split("\n").length, 300_001);
  });

  it("Y9: is printed in pages, and each is written before the next one is read", async () => {
    const { terminal } = terminalWith({});
    const held: number[] = [];
    let [read, written] = [0, 0];
    const flush = async () => {
      held.push(read - written);
      written = read;
    };
    const rows = async function* () {
      for (const row of rowsOf(5000)) {
        read += 1;
        yield row;
      }
    };
    await printRows(
      { values: new Map() } as unknown as Invocation,
      { ...terminal, flush },
      rows(),
      "",
    );
    assertEquals([held.length, Math.max(...held) < 1100], [5, true], `${held}`);
  });

  for (const count of [0, 1, 1000, 1001, 2500]) {
    it(`is JSON with a line for each row, in one page or several: ${count} rows`, async () => {
      const rows = rowsOf(count);
      const text = (await print(rows, "json")).join("\n");
      assertEquals(JSON.parse(text), rows);
      assertEquals(text.split("\n").filter((line) => line.startsWith("{")).length, count);
    });
  }

  it("has one header, and columns that are at least as wide as on the pages before", async () => {
    const printed = await print([{ id: "long", more: "x" }, ...rowsOf(1000), {
      id: "1",
      more: "y",
    }]);
    assertEquals(printed[0]?.split("\n").slice(0, 3), ["ID    MORE", "long  x", "0"]);
    assertEquals(printed[1]?.split("\n").at(-1), "1     y");
    assertEquals(await print([]), ["none"]);
  });
});
