import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openLabKit } from "../../../support/kit.ts";

/** Returns how long the report takes after refused requests of clients with names of a length. */
async function timeOfReport(length: number): Promise<number> {
  const { lab, get } = openLabKit();
  for (let n = 100; n < 400; n++) {
    await get(`/oauth2/authorize?client_id=${"x".repeat(length)}${n}`);
  }
  const times = [1, 2, 3].map(() => {
    const start = performance.now();
    lab.report();
    return performance.now() - start;
  });
  return Math.min(...times);
}

describe("A lab's report about clients with very long names", () => {
  it("Q8: takes no time that grows with the square of their number", async () => {
    const [below, above] = [await timeOfReport(16_000), await timeOfReport(50_000)];
    assert(above < 5 * below + 200, `${above} ms, where names that are hashed take ${below} ms`);
  });
});

describe("A lab's record of clients with very long names", () => {
  it("Q8: keeps as much of each as an id can have, so that a report has a limited size", async () => {
    const { lab, get } = openLabKit();
    for (let n = 100; n < 300; n++) {
      await get(`/oauth2/authorize?client_id=${n}${"x".repeat(60_000)}`);
    }
    const report = lab.report();
    assertEquals([report.clients.length, report.clients[0]?.client.length], [200, 2000]);
    const { body } = await get("/lab/report", { Accept: "text/html" });
    const sizes = [JSON.stringify(report).length, JSON.stringify(body).length];
    assert(sizes.every((size) => size < 3_000_000), `${sizes} characters`);
  });
});
