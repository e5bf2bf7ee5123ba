import type { EndpointName } from "../../../server/config/paths_config.ts";
import { readFlowCredentials } from "../../flows/flow_credentials.ts";
import type { Exchange } from "../../recording/exchange.ts";

/** Where a user is asked for something. */
const userEndpoints: ReadonlyArray<EndpointName | undefined> = [
  ...["authorize", "interaction", "deviceAuthorization", "backchannelAuthentication"] as const,
];

/** Returns what to try next in a flow in which the server refused nothing. */
export function adviseNextStep(exchanges: readonly Exchange[], issuer: string): string | undefined {
  const happened = new Set(exchanges.flatMap(({ events }) => events.map(({ type }) => type)));
  if (happened.has("token.issued")) {
    const { issued } = readFlowCredentials(exchanges, issuer);
    // A client that acts for itself gets none.
    const lacksIdToken = happened.has("code.issued") &&
      issued.every(({ kind }) => kind !== "ID token");
    return [
      ...lacksIdToken ? ["There is no ID token: for one, request the scope openid."] : [],
      "The application got its tokens. If it still fails, it refused them itself: read its log, " +
      "and call report and drill_app.",
    ].join(" ");
  }
  if (happened.has("code.issued")) {
    return "The application got a code and has not redeemed it: look at its callback.";
  }
  if (!exchanges.some(({ request }) => userEndpoints.includes(request.endpoint))) return undefined;
  return "The user has not finished: call sign_in_as, and start the login again.";
}
