import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createMetricRegistry } from "../../../src/program/monitoring/registry.ts";

describe("createMetricRegistry (Prometheus text format 0.0.4)", () => {
  it("formats counters and gauges with their labels", () => {
    const registry = createMetricRegistry();
    const tokens = registry.counter("tokens_total", "Tokens.");
    registry.gauge("rows", "Rows.").set(3);
    tokens.add({ client: "web" });
    tokens.add({ client: "web" }, 2);
    tokens.add({ client: "spa" });
    assertEquals(registry.format().split("\n"), [
      "# HELP tokens_total Tokens.",
      "# TYPE tokens_total counter",
      'tokens_total{client="web"} 3',
      'tokens_total{client="spa"} 1',
      "# HELP rows Rows.",
      "# TYPE rows gauge",
      "rows 3",
      "",
    ]);
  });

  it("counts each time in its bucket and in all that are larger", () => {
    const registry = createMetricRegistry();
    const durations = registry.histogram("duration_seconds", "Durations.");
    for (const seconds of [0.001, 0.3, 60]) durations.observe(seconds, { path: "/a" });
    const lines = registry.format().split("\n");
    const bucket = (le: string) => `duration_seconds_bucket{path="/a",le="${le}"}`;
    for (const [le, count] of [["0.001", 1], ["0.25", 1], ["0.5", 2], ["10", 2], ["+Inf", 3]]) {
      assertEquals(
        lines.filter((line) => line === `${bucket(`${le}`)} ${count}`).length,
        1,
        `${le}`,
      );
    }
    assertEquals(lines.slice(-3), [
      'duration_seconds_sum{path="/a"} 60.301',
      'duration_seconds_count{path="/a"} 3',
      "",
    ]);
  });

  it("escapes the values of labels", () => {
    const registry = createMetricRegistry();
    registry.counter("a", "A.").add({ name: 'x"\\\ny' });
    assertEquals(registry.format().split("\n")[2], 'a{name="x\\"\\\\\\ny"} 1');
  });

  it("forgets the values of a gauge", () => {
    const registry = createMetricRegistry();
    const gauge = registry.gauge("a", "A.");
    gauge.set(1, { b: "c" });
    gauge.clear();
    assertEquals(registry.format(), "# HELP a A.\n# TYPE a gauge\n");
  });
});
