import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  fetchOutbound,
  isTemporary,
  noFetch,
  type OutboundFetch,
} from "../../src/http/outbound_fetch.ts";

/** Returns the error of a request that another side answers in some way. */
async function problemOf(fetch: OutboundFetch): Promise<Error> {
  const request = { method: "GET", headers: {} } as const;
  const limits = { timeout: 60_000, maxBytes: 10 };
  return await assertRejects(
    () => fetchOutbound(fetch, "https://other.test/", request, limits),
    Error,
  );
}

describe("An outbound request that fails", () => {
  const cases: Array<[what: string, fetch: OutboundFetch, temporary: boolean]> = [
    ["a network that fails", () => Promise.reject(new TypeError("fetch failed")), true],
    ["a redirect", async () => Response.redirect("https://elsewhere.test/"), false],
    ["a response that is too large", async () => new Response("x".repeat(11)), false],
  ];
  for (const [what, fetch, temporary] of cases) {
    it(`is ${temporary ? "" : "not "}worth a retry after ${what}`, async () =>
      assertEquals(isTemporary(await problemOf(fetch)), temporary));
  }

  it("is no failure if the other side responds with an error", async () => {
    const request = { method: "GET", headers: {} } as const;
    const respond = async () => new Response("no", { status: 400 });
    const limits = { timeout: 60_000, maxBytes: 10 };
    const response = await fetchOutbound(respond, "https://other.test/", request, limits);
    assertEquals([response.status, response.text], [400, "no"]);
  });

  it("is refused without a safe fetch", async () => {
    const { message } = await problemOf(noFetch);
    assertEquals(message, "this server has no safe outbound fetch (fetchUntrusted)");
  });
});
