import {
  headerOf,
  type WireRequest,
  type WireResponse,
  withHeaderValue,
} from "../recording/exchange.ts";
import type { ChangingFault, FaultKind } from "./fault.ts";

/** The name of a fault in the redirect that ends a sign-out. */
export type LogoutFaultName = `logout.${"wrong_state" | "without_state"}`;

/** The faults in the redirect that ends a sign-out, by name. */
export const logoutFaults: Record<LogoutFaultName, FaultKind> = {
  "logout.wrong_state": stateFault(
    "After a sign-out, the browser comes back with a different state than the request had.",
    (parameters) => parameters.set("state", "another-state"),
  ),
  "logout.without_state": stateFault(
    "After a sign-out, the browser comes back without the state of the request.",
    (parameters) => parameters.delete("state"),
  ),
};

/** Creates a fault that never fires for a request without a state. */
function stateFault(
  summary: string,
  change: (parameters: URLSearchParams) => void,
): ChangingFault {
  return {
    summary,
    appliesTo: ({ endpoint }: WireRequest) => endpoint === "logout",
    canChange: (response) => locationOf(response)?.searchParams.has("state") === true,
    change(response) {
      const location = locationOf(response);
      if (!location) return response;
      change(location.searchParams);
      return withHeaderValue(response, "Location", location.href);
    },
  };
}

function locationOf(response: WireResponse): URL | undefined {
  const location = headerOf(response, "Location") ?? "";
  return URL.canParse(location) ? new URL(location) : undefined;
}
