import { headerOf, type WireResponse } from "../recording/exchange.ts";
import type { FaultKind } from "./fault.ts";
import { places } from "./places.ts";

/** Returns the challenge of a response. */
export function challengeOf(response: WireResponse): string | undefined {
  return headerOf(response, "WWW-Authenticate");
}

/** Creates a fault that changes the challenges of the MCP server that have what it needs. */
export function challengeFault(
  summary: string,
  change: (challenge: string) => string,
  needs: RegExp,
): FaultKind {
  return {
    summary,
    appliesTo: places.mcp,
    canChange: (response) => needs.test(challengeOf(response) ?? ""),
    change: (response) => withChallenge(response, change),
  };
}

/** Changes the challenge of a response. */
export function withChallenge(
  response: WireResponse,
  change: (challenge: string) => string,
): WireResponse {
  const isChallenge = (name: string) => name.toLowerCase() === "www-authenticate";
  return {
    ...response,
    headers: response.headers.map(([name, value]) => [
      name,
      isChallenge(name) ? change(value) : value,
    ]),
  };
}
