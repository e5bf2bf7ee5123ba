import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Exchange } from "../../src/lab/recording/exchange.ts";
import { createTimeline } from "../../src/lab/recording/timeline.ts";

const issuer = "http://localhost:9000";
const most = 2000;

describe("The flows of a lab", () => {
  it("are forgotten, the oldest first, when there are too many", () => {
    const timeline = createTimeline(issuer);
    for (let id = 1; id <= most + 1; id++) {
      timeline.observe(tokenExchange(id, { grant_type: "client_credentials" }));
    }
    const flows = timeline.list();
    assertEquals([flows.length, flows[0].id, flows[most - 1].id], [
      most,
      "flow-2",
      `flow-${most + 1}`,
    ]);
  });

  it("have no more steps than anybody reads, the latest ones", () => {
    const timeline = createTimeline(issuer);
    timeline.observe(tokenExchange(1, { grant_type: "client_credentials" }));
    for (let id = 2; id <= most + 2; id++) {
      timeline.observe(
        tokenExchange(id, { grant_type: "refresh_token", refresh_token: `refresh-${id - 1}` }),
      );
    }
    const [flow, ...others] = timeline.list();
    assertEquals([others.length, flow.steps.length, flow.steps[0].exchange, flow.refreshes], [
      0,
      most,
      3,
      most + 1,
    ]);
  });
});

function tokenExchange(id: number, form: Record<string, string>): Exchange {
  const body = new URLSearchParams(form);
  const answer = { access_token: `access-${id}`, refresh_token: `refresh-${id}` };
  return {
    id,
    at: id,
    request: {
      method: "POST",
      url: `${issuer}/oauth2/token`,
      path: "/oauth2/token",
      headers: {},
      body: body.toString(),
      query: new URLSearchParams(),
      form: body,
      client: "demo-web",
    },
    response: { status: 200, headers: [], body: JSON.stringify(answer) },
    span: [id, id],
    secretOfPublicClient: false,
    faults: [],
  };
}
