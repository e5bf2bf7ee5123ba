import { assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { type FaultName, hallpass } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { ask, type Source, valid } from "./workloads.ts";

const it = itWith({ inLab: () => hallpass({ workloads: true }) });

/** What a source says when it cannot help, for a while: the status, and the seconds to wait. */
const failures: Array<[fault: FaultName, source: Source, status: number, retryAfter?: string]> = [
  ["azure.too_many_requests", "azure", 429, "1"],
  ["azure.too_many_requests", "appService", 429, "1"],
  ["azure.gone", "azure", 410],
  ["azure.server_error", "azure", 500],
  ["google.too_many_requests", "google", 429, "1"],
  ["google.unavailable", "google", 503],
  ["github.unavailable", "github", 503],
  ["kubernetes.too_many_requests", "kubernetes", 429, "1"],
];

describe("A source of workloads' tokens that fails for a while", () => {
  for (const [fault, source, status, retryAfter = null] of failures) {
    it.inLab(`responds with ${status} once, and then with a token: ${fault}`, async (lab) => {
      lab.fault(fault, { times: 1 });
      const failed = await ask(lab, source);
      assertEquals([failed.status, failed.headers.get("Retry-After")], [status, retryAfter]);
      assertEquals((await ask(lab, source)).status < 300, true);
      lab.assertClean({ refused: true });
    });
  }

  it.inLab("names the seconds that a test chooses", async (lab) => {
    lab.fault("azure.too_many_requests", { delay: "5s" });
    assertEquals((await ask(lab, "azure")).headers.get("Retry-After"), "5");
  });

  const slow: Array<[fault: FaultName, source: Source]> = [
    ["azure.slow", "azure"],
    ["google.slow", "google"],
    ["github.slow", "github"],
    ["kubernetes.slow", "kubernetes"],
  ];
  for (const [fault, source] of slow) {
    it.inLab(`responds to a client that waits, and to one that asks again: ${fault}`, async (lab) => {
      lab.fault(fault, { times: 1, delay: "1h" });
      const gone = AbortSignal.timeout(1);
      await assertRejects(() => lab.fetch(`${lab.issuer}${valid[source].path}`, { signal: gone }));
      lab.fault(fault, { delay: "1ms" });
      assertEquals((await ask(lab, source)).status < 300, true);
    });
  }

  it.inLab("fails nowhere else", async (lab) => {
    lab.fault("azure.gone");
    assertEquals((await ask(lab, "google")).status, 200);
    assertEquals((await lab.fetch(`${lab.issuer}/oauth2/jwks`)).status, 200);
    lab.faults.clear();
  });
});
