import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Exchange } from "../../../src/lab/recording/exchange.ts";
import { createLabEvents } from "../../../src/lab/recording/lab_event.ts";
import { createLabRecord } from "../../../src/lab/recording/lab_record.ts";
import { createLateTimeline } from "../../../src/lab/recording/late_timeline.ts";
import { createTimeline } from "../../../src/lab/recording/timeline.ts";
import { hallpass, type HallpassOptions } from "../../../src/lab/testing/mod.ts";
import { megabyte } from "../../../src/server/util/values/bounded_map.ts";
import { authorizationUrl, login } from "../../support/login.ts";

const issuer = "http://localhost:9000";
const mostWaiting = 200;

/** A token request, which counts how often something of it is read. */
function tokenRequest(id: number): { exchange: Exchange; reads: () => number } {
  let count = 0;
  const form = new URLSearchParams({ grant_type: "client_credentials" });
  const request = {
    ...{ method: "POST", url: `${issuer}/oauth2/token`, path: "/oauth2/token", headers: {} },
    ...{ body: `${form}`, query: new URLSearchParams(), form },
    endpoint: "token",
  } as const;
  const counting = new Proxy(request, {
    get: (target, name) => (count++, Reflect.get(target, name)),
  });
  const exchange: Exchange = {
    ...{ id, began: id, at: id, request: counting, span: [id, id], faults: [], events: [] },
    ...{ rules: [], concerns: { authorization: `grant-${id}` } },
    response: { status: 200, headers: [], body: "{}" },
  };
  return { exchange, reads: () => count };
}

/** Signs in at a lab and its tenant, has a request refused, and returns what the flows show. */
async function flowsOf(options: HallpassOptions): Promise<unknown> {
  await using lab = await hallpass(options);
  const tenant = await lab.tenant({ id: "acme" });
  await login(lab);
  await login(tenant);
  await lab.fetch(authorizationUrl(lab, { code_challenge_method: "plain" }));
  await login(lab);
  return lab.flows().map(({ id, tenant, client, uses, steps }) => ({
    ...{ id, tenant, client, uses },
    steps: steps.map(({ what, exchange, status, error }) => [what, exchange, status, error]),
  }));
}

describe("A flow that nobody has looked at", () => {
  it("costs nothing: its requests are read once, when someone looks", () => {
    const timeline = createLateTimeline(issuer);
    const { exchange, reads } = tokenRequest(1);
    timeline.observeLater(exchange);
    assertEquals(reads(), 0);
    assertEquals(timeline.list().map(({ id }) => id), ["flow-1"]);
    const once = reads();
    assert(once > 0);
    timeline.list();
    assertEquals(reads(), once);
  });

  it("is not even read if a reset forgets it", () => {
    const timeline = createLateTimeline(issuer);
    const { exchange, reads } = tokenRequest(1);
    timeline.observeLater(exchange);
    timeline.clear();
    assertEquals([timeline.list(), reads()], [[], 0]);
  });

  it("is grouped by what the server had noted then, not by what it notes later", () => {
    const timeline = createLateTimeline(issuer);
    const first = tokenRequest(1).exchange;
    const second = tokenRequest(2).exchange;
    timeline.observeLater(first);
    timeline.observeLater(second);
    first.concerns.authorization = "grant-2";
    first.faults.push("token.drop");
    assertEquals(
      timeline.list().map(({ steps }) => steps.map(({ exchange }) => exchange)),
      [[1], [2]],
    );
  });

  it("comes before the flows of requests that someone follows", () => {
    const [late, atOnce] = [createLateTimeline(issuer), createTimeline(issuer)];
    const [first, second] = [tokenRequest(1).exchange, tokenRequest(2).exchange];
    late.observeLater(first);
    for (const exchange of [first, second]) atOnce.observe(exchange);
    assertEquals(late.observe(second)?.id, "flow-2");
    assertEquals(late.list(), atOnce.list());
  });

  it("waits in a limited number", () => {
    const timeline = createLateTimeline(issuer);
    const requests = Array.from({ length: mostWaiting }, (_, at) => tokenRequest(at + 1));
    for (const { exchange } of requests.slice(1)) timeline.observeLater(exchange);
    assertEquals(requests.at(-1)?.reads(), 0);
    timeline.observeLater(requests[0]!.exchange);
    assert(requests.every(({ reads }) => reads() > 0));
  });

  it("is grouped before its request is forgotten", () => {
    const events = createLabEvents({});
    const record = createLabRecord({ issuer, events, onForget: () => {}, outer: undefined });
    const body = "x".repeat(megabyte);
    const requests = Array.from({ length: mostWaiting / 2 }, (_, at) => tokenRequest(at));
    const looked: string[] = [];
    for (const { exchange } of requests) {
      const form = new URLSearchParams();
      form.get = (name) => (looked.push(name), null);
      const request = { ...exchange.request, body, form };
      record.add({ ...exchange, request }, record.recorder.mark());
    }
    assert(record.recorder.all().length < requests.length);
    assert(looked.length > 0);
  });

  it("is the same as if someone had listened all the time", async () => {
    const heard: unknown[] = [];
    const watched = await flowsOf({ onLabEvent: (event) => heard.push(event) });
    assert(heard.length > 0);
    assertEquals(await flowsOf({}), watched);
  });
});
