import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { featureParts } from "../../../src/server/feature_parts.ts";
import { features } from "../../../src/server/features.ts";
import { createRouter, requestPath } from "../../../src/server/http/router.ts";
import { routesOf } from "../../../src/server/server.ts";
import { requests, type StepName } from "./flows/requests.ts";
import { type FlowExchange, openFlowKit, openSession } from "./flows/session.ts";
import { beginnings, plainStep } from "./flows/step.ts";

/** Runs steps that have nothing wrong. */
async function runSteps(names: readonly StepName[]): Promise<FlowExchange[]> {
  const session = await openSession(openFlowKit());
  const exchanges: FlowExchange[] = [];
  for (const name of names) exchanges.push(...await session.run(plainStep(name)));
  return exchanges;
}

/** Links to choose a password are only there with the sign-in of the server, which these flows replace. */
const byLink = ["POST /invite", "POST /reset"];

describe("The flows that are fuzzed", () => {
  it("reach every route of the server with a request that it does not refuse", async () => {
    const routes = routesOf(openFlowKit().server.context.settings, featureParts(features));
    const findRoute = createRouter(routes);
    const reached = new Set<unknown>();
    for (const flow of [...beginnings, ...Object.keys(requests).map((name) => [name])]) {
      for (const { request, response } of await runSteps(flow as StepName[])) {
        const path = requestPath(request) ?? "";
        if (response.status < 400) reached.add(findRoute(request.method, path).route);
      }
    }
    const missed = routes.filter((route) => !reached.has(route));
    assertEquals(missed.map(({ method, path }) => `${method} ${path}`), byLink);
  });
});
