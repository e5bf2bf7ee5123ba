import type { EndpointName } from "../../server/config/paths_config.ts";
import type { Exchange, WireRequest } from "../recording/exchange.ts";
import { companyId } from "../recording/tenant_client.ts";
import type { Participant } from "./flow_story.ts";

/** The endpoints that a browser visits. Programs call the others. */
const browserEndpoints: ReadonlyArray<EndpointName | undefined> = [
  "authorize",
  "device",
  "logout",
  "interaction",
];

/** Returns who responded to a request. */
export function responderOf({ isMcp = false, tenant }: Exchange): Participant {
  if (isMcp) return "mcp";
  return tenant === companyId ? "company" : "hallpass";
}

/** Returns who sent a request. Introspection by another client is that of an API (RFC 7662). */
export function participantOf(request: WireRequest, flowClient: string | undefined): Participant {
  if (isFromBrowser(request)) return "browser";
  const isOther = request.client !== undefined && request.client !== flowClient;
  return request.endpoint === "introspect" && isOther ? "api" : "client";
}

/** Whether a browser visits a page. */
function isFromBrowser({ endpoint, headers }: WireRequest): boolean {
  if (browserEndpoints.includes(endpoint)) return true;
  return endpoint === undefined && (headers.accept ?? "").includes("text/html");
}
