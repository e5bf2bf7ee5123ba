import type { OverloadPolicy } from "../server/http/application.ts";
import { jsonResponse } from "../server/http/response.ts";
import { createAdmission } from "./admission.ts";
import { isPlatformResponse, type RequestHandler, type ServedResponse } from "./listen.ts";

/** The shortest time between two reports of refusals, in milliseconds. */
const reportInterval = 1_000;

/** The response to every request that is refused. Scripts may read it: it reveals nothing. */
const overloadedResponse = jsonResponse(
  {
    error: "temporarily_unavailable",
    error_description: "The server is busy; try again in a few seconds.",
  },
  503,
  [
    ["Retry-After", "1"],
    ["Access-Control-Allow-Origin", "*"],
    ["Access-Control-Expose-Headers", "Retry-After"],
  ],
);

/** Whether a response refuses a request, perhaps with headers that were added. */
export function isRefusal(response: ServedResponse): boolean {
  // On Deno, a platform response whose `body` was read is sent as a stream.
  return !isPlatformResponse(response) && response.body === overloadedResponse.body;
}

/**
 * Wraps a handler so that it gets only as many requests as its thread has time for. The policy is
 * that of the application at the time: a program may replace it.
 */
export function withAdmission(
  respond: RequestHandler,
  policy: () => OverloadPolicy,
): { respond: RequestHandler; noteConnection(): void } {
  const { hasTime, wait, noteConnection } = createAdmission();
  const refusals = createRefusalReport((requests) => policy().onRefused(requests));

  async function respondLater(...[request]: Parameters<RequestHandler>) {
    if (await wait(policy().senderOf(request))) return await respond(request);
    refusals.add();
    return overloadedResponse;
  }

  return {
    respond(request) {
      refusals.report();
      return hasTime() || policy().isProbe(request) ? respond(request) : respondLater(request);
    },
    noteConnection,
  };
}

/** Counts refusals, and reports the first at once and others with a later request. */
function createRefusalReport(onRefused: (requests: number) => void) {
  let count = 0;
  let reportedAt = -Infinity;

  function report(): void {
    if (count === 0 || performance.now() - reportedAt < reportInterval) return;
    onRefused(count);
    count = 0;
    reportedAt = performance.now();
  }

  return {
    add(): void {
      count++;
      report();
    },
    report,
  };
}
