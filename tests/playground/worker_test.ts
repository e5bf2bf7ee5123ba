import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { providerNames } from "../../src/lab/features/providers/config.ts";
import type { PassedResponse, WorkerReport } from "../../src/playground/messages.ts";
import "../../src/playground/worker.ts";

const lab = "http://localhost:9000/hallpass/tab-1";

/** The global object, as the script of a worker sees it. */
const worker = globalThis as unknown as {
  onmessage(event: { data: object; ports: readonly MessagePort[] }): void;
  postMessage(report: WorkerReport): void;
};

/** Opens a lab, and returns what the worker reports then. */
async function open(provider: string | undefined): Promise<WorkerReport> {
  return await new Promise((resolve) => {
    worker.postMessage = resolve;
    worker.onmessage({ data: { url: lab, provider }, ports: [] });
  });
}

async function get(path: string): Promise<PassedResponse> {
  const { port1, port2 } = new MessageChannel();
  worker.postMessage = () => {};
  return await new Promise((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<PassedResponse>) => {
      port1.close();
      resolve(data);
    };
    const data = { url: lab + path, method: "GET", headers: [["Accept", "text/html"]] };
    worker.onmessage({ data, ports: [port2] });
  });
}

describe("The worker of the playground", () => {
  for (const provider of [undefined, ...providerNames]) {
    it(`opens a lab that plays ${provider ?? "no provider"}, and shows where a flow begins`, async () => {
      const report = await open(provider);
      assertEquals(report.type, "ready");
      const { status, body } = await get("/");
      assertEquals(status, 200);
      assertMatch(String(body), /Start/);
    });
  }
});
