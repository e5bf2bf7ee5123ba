import { assertEquals, assertStringIncludes } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { createReceiver } from "../program/features/otlp/otlp_receiver.ts";
import { inFolder } from "../support/folder.ts";
import { listen } from "../support/listen.ts";
import { startProgram } from "../support/program.ts";

/** Runs a server that exports to a receiver, which may never respond. */
async function withExport(
  act: (address: string) => Promise<void>,
  { responds }: { responds: boolean },
): Promise<{ receiver: ReturnType<typeof createReceiver>; output: string }> {
  const receiver = createReceiver();
  await using listening = await listen(createServer(async (request, response) => {
    if (!responds) return;
    receiver.receive(request.url ?? "", await text(request));
    response.end("{}");
  }));
  return await inFolder(async (folder) => {
    const config = join(folder, "hallpass.json");
    await writeFile(config, JSON.stringify({ issuer: "https://id.example" }));
    const program = await startProgram(["serve", "--config", config, "--port", "0"], {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${listening.port}`,
    });
    await act(program.address);
    assertEquals(await program.stop(), 0, program.output());
    return { receiver, output: program.output() };
  });
}

async function refuse(address: string): Promise<void> {
  const body = new URLSearchParams({ grant_type: "refresh_token" });
  const response = await fetch(`${address}/oauth2/token`, { method: "POST", body });
  assertEquals(response.status, 401);
  await response.body?.cancel();
}

describe("OTEL_EXPORTER_OTLP_ENDPOINT", () => {
  it("exports a span for each request, and the metrics, before the program ends", async () => {
    const { receiver: { spans, metrics } } = await withExport(refuse, { responds: true });
    assertEquals(spans.map(({ name }) => name), ["POST /oauth2/token"]);
    assertEquals(spans[0]?.attributes["hallpass.rule"], "client.named");
    assertEquals(metrics.has("hallpass_requests_total"), true);
    assertEquals(metrics.has("hallpass_store_calls_total"), true);
  });

  it("delays no request, and no end, for a receiver that does not respond", async () => {
    const { output } = await withExport(async (address) => {
      for (let at = 0; at < 5; at++) await refuse(address);
    }, { responds: false });
    assertStringIncludes(output, "hallpass stopped");
  });
});
