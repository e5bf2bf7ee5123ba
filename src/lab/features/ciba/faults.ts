import { cibaParts } from "../../../server/features/ciba/parts.ts";
import type { WireRequest } from "../../recording/exchange.ts";
import { failureResponse } from "../../responses/failure_response.ts";
import { jsonAt } from "../../responses/part.ts";
import { places } from "../../responses/places.ts";
import type { FaultKind, PingFault, ReplacingFault } from "../faults/fault.ts";
import { changing, failing, hasMember } from "../faults/fault_kinds.ts";

/** The name of a fault of backchannel authentication, or of a ping. */
export type CibaFaultName =
  | `ciba.${"never" | "late" | "slow_down" | "denied" | "expired" | "wrong_auth_req_id"}`
  | `ping.${"without_token" | "wrong_auth_req_id" | "twice"}`;

const waits = ["authorization_pending", "The user must decide first."] as const;
const wrongId = "an-auth-req-id-of-another-request";

/** The faults of backchannel authentication, by name. */
export const cibaFaults: Record<CibaFaultName, FaultKind> = {
  "ciba.never": pollError("The user never decides: each poll has to wait.", ...waits),
  "ciba.late": {
    summary: "The token endpoint learns one poll late that the user has decided.",
    appliesTo: isPoll,
    async respond({ request, server: { context }, memory }, proceed) {
      const { credentials, decisions } = cibaParts(context);
      const id = request.form.get("auth_req_id") ?? "";
      const row = await credentials.find(id);
      const isDecided = row !== undefined && await decisions.find(row.waiting.id) !== undefined;
      if (!isDecided || memory.has(`late ${id}`)) return await proceed();
      memory.set(`late ${id}`, "");
      return failureResponse(400, ...waits);
    },
  },
  "ciba.slow_down": pollError(
    "Each poll has to slow down; the auth_req_id remains usable.",
    "slow_down",
    "The client must wait 5 seconds more between polls from now on.",
  ),
  "ciba.denied": pollError(
    "The user has denied the request.",
    "access_denied",
    "The user denied the request.",
  ),
  "ciba.expired": pollError(
    "The auth_req_id has expired early.",
    "expired_token",
    "The auth_req_id has expired.",
  ),
  "ciba.wrong_auth_req_id": changing(
    jsonAt(places.ciba),
    "The response to a backchannel authentication request has an unknown auth_req_id.",
    (body) => ({ ...body, auth_req_id: wrongId }),
    hasMember("auth_req_id"),
  ),
  "ping.without_token": pingFault(
    "The ping has no token, so it may come from anyone.",
    ({ headers: { Authorization: _, ...headers }, ...ping }) => [{ ...ping, headers }],
  ),
  "ping.wrong_auth_req_id": pingFault(
    "The ping is about a request that the client never sent.",
    (ping) => [{ ...ping, body: JSON.stringify({ auth_req_id: wrongId }) }],
  ),
  "ping.twice": pingFault("The ping comes twice.", (ping) => [ping, ping]),
};

/** Whether a request polls with an auth_req_id. */
function isPoll(request: WireRequest): boolean {
  return places.token(request) && request.form.has("auth_req_id");
}

function pollError(summary: string, error: string, description: string): ReplacingFault {
  return failing(isPoll, summary, 400, error, description);
}

function pingFault(summary: string, ping: PingFault["ping"]): PingFault {
  return { summary, appliesTo: () => false, ping };
}
