import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  fetchOutbound,
  isTemporary,
  noFetch,
  OutboundError,
  type OutboundFetch,
} from "../../src/server/http/outbound_fetch.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";

/** Returns what a browser's `fetch` makes of a redirect that it must not follow. */
function opaqueRedirect(): Response {
  return { type: "opaqueredirect", status: 0, headers: new Headers(), body: null } as Response;
}

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
    ["the first kind of redirect", async () => new Response("no", { status: 300 }), false],
    ["the last kind of redirect", async () => new Response("no", { status: 399 }), false],
    ["a redirect that shows no status", async () => opaqueRedirect(), false],
    ["trouble of ours", () => Promise.reject(new OutboundError("no address")), true],
  ];
  for (const [what, fetch, temporary] of cases) {
    it(`is ${temporary ? "" : "not "}worth a retry after ${what}`, async () =>
      assertEquals(isTemporary(await problemOf(fetch)), temporary));
  }

  it("is no failure if the other side responds with an error", async () => {
    const request = { method: "GET", headers: {} } as const;
    const limits = { timeout: 60_000, maxBytes: 10 };
    for (const status of [299, 400]) {
      const respond = async () => new Response("x".repeat(10), { status });
      const response = await fetchOutbound(respond, "https://other.test/", request, limits);
      assertEquals([response.status, response.text], [status, "x".repeat(10)]);
    }
  });

  it("says what happened in its own words, once", async () => {
    const messages = await Promise.all([
      problemOf(() => Promise.reject(new OutboundError("no address"))),
      problemOf(() => Promise.reject(new TypeError("fetch failed"))),
      problemOf(async () => opaqueRedirect()),
    ]);
    assertEquals(messages.map(({ message }) => message), [
      "no address",
      "the request failed",
      "the response is a redirect",
    ]);
  });

  it("ends on both sides: what is left of it is aborted, and the body of a redirect canceled", async () => {
    let signal: AbortSignal | undefined;
    let isCanceled = false;
    const body = new ReadableStream({ cancel: () => void (isCanceled = true) });
    await problemOf(async (_url, init) => {
      signal = init.signal;
      return new Response(body, { status: 302 });
    });
    assertEquals([signal?.aborted, isCanceled], [true, true]);
  });

  it("is worth a retry, too, as the cause of an error for a client", () => {
    const wrap = (cause: unknown) => new OAuthError("invalid_client", "no", { cause });
    const causes = [new OutboundError("a"), new OutboundError("b", { isFinal: true }), "c"];
    assertEquals(causes.map(wrap).map(isTemporary), [true, false, false]);
  });

  it("is refused without a safe fetch", async () => {
    const { message } = await problemOf(noFetch);
    assertEquals(message, "this server has no safe outbound fetch (fetchUntrusted)");
  });
});
