import { headerOf, withHeaderValue } from "../../recording/exchange.ts";
import type { ResponsePart } from "../../responses/part.ts";
import type { ChangingFault, FaultKind } from "../faults/fault.ts";
import { changing } from "../faults/fault_kinds.ts";

/** The name of a fault in the redirect that ends a sign-out. */
export type LogoutFaultName = `logout.${"wrong_state" | "without_state"}`;

const signOutUrl: ResponsePart<URL> = {
  appliesTo: ({ endpoint }) => endpoint === "logout",
  read(response) {
    const location = headerOf(response, "Location") ?? "";
    return URL.canParse(location) ? new URL(location) : undefined;
  },
  write: (response, { href }) => withHeaderValue(response, "Location", href),
};

/** The faults in the redirect that ends a sign-out, by name. */
export const logoutFaults: Record<LogoutFaultName, FaultKind> = {
  "logout.wrong_state": stateFault(
    "with a different state than the request had",
    (parameters) => parameters.set("state", "another-state"),
  ),
  "logout.without_state": stateFault(
    "without the state of the request",
    (parameters) => parameters.delete("state"),
  ),
};

/** Creates a fault that never fires for a request without a state. */
function stateFault(how: string, change: (parameters: URLSearchParams) => void): ChangingFault {
  return changing(signOutUrl, `After a sign-out, the browser comes back ${how}.`, (url) => {
    change(url.searchParams);
    return url;
  }, ({ searchParams }) => searchParams.has("state"));
}
