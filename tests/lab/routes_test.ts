import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { RouteConfig } from "../../src/server/config/route_config.ts";
import { openLabKit } from "../support/kit.ts";
import { assertReport } from "../support/reported.ts";

/** A route that responds with the number of bytes in the body of its request. */
function countingRoute(path: string): RouteConfig {
  return {
    method: "POST",
    path,
    kind: "api",
    handler: async (_ctx, request) => Response.json((await request.arrayBuffer()).byteLength),
  };
}

describe("A route of the test's own in a lab", () => {
  const bodies: Array<[what: string, body: string | Uint8Array<ArrayBuffer>, length: number]> = [
    ["JSON", '{"a":1}', 7],
    ["a form", "a=b", 3],
    ["bytes that are no text", new Uint8Array([0xff, 0xfe, 0x00]), 3],
    ["more than the server itself would read", "x".repeat(100_000), 100_000],
  ];
  for (const path of ["/webhook", "/webhook/:id", "/oauth2/webhook"]) {
    for (const [what, body, length] of bodies) {
      it(`U1: reads the body of its requests at ${path}: ${what}`, async () => {
        const kit = openLabKit({ routes: [countingRoute(path)] });
        const url = kit.issuer + path.replace(":id", "1");
        const response = await kit.server.fetch(new Request(url, { method: "POST", body }));
        assertEquals([response.status, await response.json()], [200, length]);
      });
    }
  }

  it("U1: is recorded with its request and its response", async () => {
    const { lab } = openLabKit({ routes: [countingRoute("/webhook/:id")] });
    const url = `${lab.issuer}/webhook/7?access_token=a-token`;
    await lab.fetch(new Request(url, { method: "POST", body: '{"a":1}' }));
    const [request, ...others] = lab.requests({ path: "/webhook/7", secrets: true });
    assertEquals(others, []);
    assertEquals([request?.method, request?.body], ["POST", '{"a":1}']);
    assertEquals([request?.response?.status, request?.response?.body], [200, "7"]);
    const sent = await lab.waitForRequest({ path: "/webhook/7" });
    assertEquals(sent.parameters, { access_token: "[redacted]" });
    assertReport(lab, { findings: [], clients: [] });
  });

  it("U1: is recorded without its body if that is a stream, which goes on", async () => {
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
    });
    const headers = { "Content-Type": "text/event-stream" };
    const handler = () => Promise.resolve(new Response(stream, { headers }));
    const { lab } = openLabKit({ routes: [{ method: "GET", path: "/sse", kind: "api", handler }] });
    const response = await lab.fetch(new Request(`${lab.issuer}/sse`));
    const { value } = await response.body!.getReader().read();
    assertEquals(new TextDecoder().decode(value), "data: 1\n\n");
    assertEquals(lab.requests({ path: "/sse" })[0]?.response?.body, "");
  });

  it("U1: leaves no record of the pages of the server beside it", async () => {
    const { lab } = openLabKit({ routes: [countingRoute("/webhook")] });
    await lab.fetch(new Request(`${lab.issuer}/`));
    await lab.fetch(new Request(`${lab.issuer}/account`));
    assertEquals(lab.requests(), []);
  });

  it("U1: is recorded with its body where it is a path of the protocol", async () => {
    const kit = openLabKit({ routes: [countingRoute("/oauth2/token")] });
    await kit.post("/oauth2/token", { grant_type: "a" });
    assertEquals(kit.lab.exchanges().map(({ request }) => request.body), ["grant_type=a"]);
  });
});
