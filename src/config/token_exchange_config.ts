import type { TokenExchangeConfig } from "../model/client_config.ts";
import { tokenExchangeGrant } from "../protocol/token_exchange_request.ts";
import type { ReportProblem } from "./shape.ts";

/** Tells what is wrong with a client's policy: the grant without one would allow nothing, and one without the grant as little. */
export function checkTokenExchange(
  { tokenExchange }: { tokenExchange?: TokenExchangeConfig },
  grants: readonly string[],
  authentication: readonly string[],
  report: ReportProblem,
): void {
  const isListed = grants.includes(tokenExchangeGrant);
  if (isListed && !tokenExchange) {
    report("tokenExchange", "is missing, but the client may use the token exchange grant");
  }
  if (!tokenExchange) return;
  if (!isListed) {
    report(
      "tokenExchange",
      "stands there, but the token exchange grant is not among the client's grantTypes",
    );
  }
  if (tokenExchange.audiences.length === 0) {
    report("tokenExchange.audiences", "is empty, so that no token could be for anything");
  }
  if (!tokenExchange.impersonation && !tokenExchange.delegation) {
    report(
      "tokenExchange",
      "allows neither impersonation nor delegation; one of them must be true",
    );
  }
  if (authentication.includes("none")) report("tokenExchange", "is for confidential clients only");
}
