import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import type { ServerEvent } from "../../src/server/config/events.ts";
import { isTemporary, OutboundError } from "../../src/server/http/outbound_fetch.ts";
import { createUntrustedFetchLimit } from "../../src/server/issuer/limits/fair_limit.ts";
import { fetchJson, postForm } from "../../src/server/issuer/outbound_requests.ts";

const url = "https://app.example/logout";

/** A site that gives one response, and what was reported about it. */
function openSite(respond: () => Response | Promise<Response>) {
  const events: ServerEvent[] = [];
  const fetched: string[] = [];
  const fetchAs = (which: string) => async () => {
    fetched.push(which);
    return await respond();
  };
  const settings = { fetch: fetchAs("trusted"), fetchUntrusted: fetchAs("guarded") };
  const dependencies = {
    settings,
    emit: (event: ServerEvent) => void events.push(event),
    limits: { untrustedFetches: createUntrustedFetchLimit() },
  };
  const target = { purpose: "a test", url: `${url}?token=secret`, trusted: false };
  return { events, fetched, dependencies, target };
}

const json = (status: number, type = "application/json") =>
  new Response("{}", { status, headers: { "Content-Type": type } });

const reportOf = (reason: string) => [{ type: "outbound.failed", what: "a test", url, reason }];

describe("postForm", () => {
  for (const status of [200, 204, 299]) {
    it(`succeeds with the status ${status}`, async () => {
      const body = status === 204 ? null : "";
      const { events, fetched, dependencies, target } = openSite(() =>
        new Response(body, { status })
      );
      assertEquals(await postForm(dependencies, target, { a: "b" }), undefined);
      assertEquals([events, fetched], [[], ["guarded"]]);
    });
  }

  for (const status of [400, 500]) {
    it(`fails with the status ${status}, and reports the URL without its query`, async () => {
      const { events, dependencies, target } = openSite(() => new Response("", { status }));
      assert(await postForm(dependencies, target, {}) instanceof OutboundError);
      assertEquals(events, reportOf(`the response has the status ${status}`) as typeof events);
    });
  }

  it("reports a request without a response once", async () => {
    const { events, dependencies, target } = openSite(() => Promise.reject(new Error("no route")));
    assert(await postForm(dependencies, target, {}) instanceof OutboundError);
    assertEquals(events.length, 1);
  });
});

describe("fetchJson", () => {
  const read: Array<[type: string, trusted: boolean]> = [
    ["application/json; charset=utf-8", false],
    ["Application/JWK-Set+JSON", false],
    ["text/plain", true],
  ];
  for (const [type, trusted] of read) {
    it(`reads ${type} of a ${trusted ? "configured" : "foreign"} URL`, async () => {
      const { fetched, dependencies, target } = openSite(() => json(200, type));
      const { document } = await fetchJson(dependencies, { ...target, trusted });
      assertEquals([document, fetched], [{}, [trusted ? "trusted" : "guarded"]]);
    });
  }

  const failures: Array<[what: string, response: () => Response, temporary: boolean]> = [
    ["a page", () => json(200, "text/html"), false],
    ["no media type", () => new Response(Uint8Array.of(0x7b, 0x7d)), false],
    ["the status 201", () => json(201), false],
    ["the status 404", () => json(404), false],
    ["the status 408", () => json(408), true],
    ["the status 429", () => json(429), true],
    ["the status 499", () => json(499), false],
    ["the status 500", () => json(500), true],
  ];
  for (const [what, response, temporary] of failures) {
    it(`fails with ${what}, ${temporary ? "for now" : "for good"}`, async () => {
      const { events, dependencies, target } = openSite(response);
      const error = await assertRejects(() => fetchJson(dependencies, target), OutboundError);
      assertEquals([isTemporary(error), events.length], [temporary, 1]);
    });
  }

  it("fails with what is not JSON", async () => {
    const headers = { "Content-Type": "application/json" };
    const { dependencies, target } = openSite(() => new Response("{", { headers }));
    await assertRejects(() => fetchJson(dependencies, target), OutboundError, "is not JSON");
  });
});
