import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createRecorder, type NewExchange } from "../../../src/lab/recording/recorder.ts";

describe("The record of a lab", () => {
  it("forgets no request of a developer for those of drills", () => {
    let count = 0;
    const recorder = createRecorder(() => ++count);
    const request = { url: "/", body: "", headers: {}, query: new Map(), form: new Map() };
    const exchange = { request, rules: [], events: [], concerns: {} } as unknown as NewExchange;
    for (let sent = 0; sent < 5; sent++) recorder.record(exchange, 0);
    for (let sent = 0; sent < 2500; sent++) {
      recorder.record({ ...exchange, drill: 1, isProvoked: true }, 0);
    }
    const kept = recorder.all();
    assertEquals([kept.length, kept.filter((each) => !each.isProvoked).length], [2005, 5]);
  });
});
