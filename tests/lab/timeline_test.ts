import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Exchange } from "../../src/lab/recording/exchange.ts";
import { createTimeline } from "../../src/lab/recording/timeline.ts";

const issuer = "http://localhost:9000";
const maxFlows = 2000;
const maxSteps = 2000;

describe("The flows of a lab", () => {
  it("are forgotten when there are too many, the oldest first", () => {
    const timeline = createTimeline(issuer);
    for (let id = 1; id <= maxFlows + 1; id++) {
      timeline.observe(tokenExchange(id, { grant_type: "client_credentials" }, `token-${id}`));
    }
    const flows = timeline.list();
    const ids = [flows.at(0)?.id, flows.at(-1)?.id];
    assertEquals([flows.length, ids], [maxFlows, ["flow-2", `flow-${maxFlows + 1}`]]);
  });

  it("keep their latest steps when there are too many", () => {
    const timeline = createTimeline(issuer);
    for (let id = 1; id <= maxSteps + 2; id++) {
      timeline.observe(tokenExchange(id, { grant_type: "refresh_token" }, "one"));
    }
    const flows = timeline.list().map(({ steps, refreshes }) => ({
      count: steps.length,
      oldest: steps.at(0)?.exchange,
      refreshes,
    }));
    assertEquals(flows, [{ count: maxSteps, oldest: 3, refreshes: maxSteps + 2 }]);
  });
});

describe("A flow that began before the lab", () => {
  it("has the client that refreshes, not the API that introspects first", () => {
    const timeline = createTimeline(issuer);
    const refresh = tokenExchange(2, { grant_type: "refresh_token" }, "one");
    const { request } = refresh;
    const introspection = { ...request, endpoint: "introspect", client: "api" } as const;
    timeline.observe({ ...refresh, id: 1, request: introspection });
    timeline.observe(refresh);
    const flows = timeline.list().map(({ client, steps }) => [client, steps.length]);
    assertEquals(flows, [["demo-web", 2]]);
  });
});

function tokenExchange(id: number, form: Record<string, string>, authorization: string): Exchange {
  const body = new URLSearchParams(form);
  const tokens = { access_token: `access-${id}`, refresh_token: `refresh-${id}` };
  return {
    id,
    began: id,
    at: id,
    request: {
      method: "POST",
      url: `${issuer}/oauth2/token`,
      path: "/oauth2/token",
      endpoint: "token",
      headers: {},
      body: body.toString(),
      query: new URLSearchParams(),
      form: body,
      client: "demo-web",
    },
    response: { status: 200, headers: [], body: JSON.stringify(tokens) },
    span: [id, id],
    faults: [],
    events: [],
    rules: [],
    concerns: { authorization },
  };
}
