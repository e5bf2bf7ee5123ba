import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createLastingRow } from "../../src/server/issuer/records/lasting_row.ts";
import { openKit } from "../support/kit.ts";

const day = 24 * 60 * 60 * 1000;

describe("A row that lasts", () => {
  it("is never shortened: a process with shorter lifetimes may follow one with longer ones", async () => {
    const { clock, server: { context } } = openKit();
    const { batch, sessionClients: table } = context.records;
    const start = Math.ceil(clock.now / day) * day;
    const ends: Array<number | undefined> = [];
    for (const days of [3, 1, 2, 5, 4]) {
      // Each is another process, which writes at first, and reads later.
      const row = createLastingRow(table);
      for (const _ of [1, 2]) {
        await batch(await row("sid/app", { subject: "ada" }, start + days * day));
        ends.push((await table.get("sid/app"))?.expiresAt);
      }
    }
    const expected = [3, 3, 3, 3, 3, 3, 5, 5, 5, 5].map((days) => start + days * day);
    assertEquals(ends, expected);
  });
});
