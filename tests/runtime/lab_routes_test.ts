import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openLab } from "../../src/lab/open_lab.ts";
import { serve } from "../../src/runtime/serve.ts";

describe("A route of the test's own in a lab that listens", () => {
  for (const length of [10, 100_000]) {
    it(`U1: reads a body of ${length} bytes, which the lab records`, async () => {
      const lab = openLab({
        issuer: "http://localhost:9000",
        routes: [{
          method: "POST",
          path: "/webhook",
          kind: "api",
          handler: async (_ctx, request) => Response.json((await request.text()).length),
        }],
      });
      const { port, close } = await serve(lab, { port: 0 });
      try {
        const url = `http://localhost:${port}/webhook`;
        const response = await fetch(url, { method: "POST", body: "x".repeat(length) });
        assertEquals([response.status, await response.json()], [200, length]);
      } finally {
        await close();
        await lab.close();
      }
    });
  }
});
