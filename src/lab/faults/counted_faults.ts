import { tokenOf, type WireRequest } from "../recording/exchange.ts";
import type { FaultKind } from "./fault.ts";
import { failureResponse } from "./http_faults.ts";
import { places } from "./places.ts";

/** The name of a fault that counts uses. */
export type CountedFaultName = "access_token.used_up";

/** Expiry by the number of uses, which needs no clock. With `nth: 3`, a token works twice. */
export const countedFaults: Record<CountedFaultName, FaultKind> = {
  "access_token.used_up": {
    summary: "An access token has expired for userinfo and is inactive for introspection; with " +
      "'nth: 3', it works twice.",
    appliesTo: usesToken,
    respond: async ({ request }) => places.userinfo(request) ? expired : inactive,
  },
};

const challenge = 'Bearer realm="hallpass", error="invalid_token", ' +
  'error_description="The access token has expired."';
const expired = failureResponse(401, "invalid_token", "The access token has expired.", [[
  "WWW-Authenticate",
  challenge,
]]);
const inactive = {
  status: 200,
  headers: [["Content-Type", "application/json"]] as Array<[string, string]>,
  body: '{"active":false}',
};

function usesToken(request: WireRequest): boolean {
  return places.introspect(request) || (places.userinfo(request) && tokenOf(request) !== undefined);
}
