import { authenticationOf, grantTypesOf } from "../../config/derived_client_settings.ts";
import type { ReportProblem } from "../../config/problems.ts";
import type { CoreClientConfig } from "../../model/client_config.ts";
import { tokenExchangeGrantType } from "../../protocol/grant_types.ts";
import { readSettings } from "./config.ts";

/** Reports a policy that allows nothing: without its grant, or with a grant that has no policy. */
export function checkTokenExchange(config: CoreClientConfig, report: ReportProblem): void {
  const { tokenExchange, idJag = [] } = readSettings(config);
  const mayExchange = grantTypesOf(config).includes(tokenExchangeGrantType);
  if (!tokenExchange) {
    if (mayExchange && idJag.length === 0) {
      report("tokenExchange", "is missing, but the client may use the token exchange grant");
    }
    return;
  }
  if (!mayExchange) {
    report(
      "tokenExchange",
      "is set, but the client's grantTypes do not contain the token exchange grant",
    );
  }
  if (tokenExchange.audiences.length === 0) {
    report("tokenExchange.audiences", "is empty, so that no token could be issued");
  }
  if (!tokenExchange.impersonation && !tokenExchange.delegation) {
    report(
      "tokenExchange",
      "allows neither impersonation nor delegation; one of them must be true",
    );
  }
  if (authenticationOf(config).includes("none")) {
    report("tokenExchange", "is for confidential clients only");
  }
}

/** To a client, a token whose audience is its id is an ID token. */
export function checkExchangeAudiences(
  clients: readonly CoreClientConfig[],
  report: ReportProblem,
): void {
  const ids = new Set(clients.map(({ id }) => id));
  for (const [index, client] of clients.entries()) {
    for (const [at, audience] of (readSettings(client).tokenExchange?.audiences ?? []).entries()) {
      if (!ids.has(audience)) continue;
      const path = `clients[${index}].tokenExchange.audiences[${at}]`;
      report(path, `is '${audience}', which is also the id of a client`);
    }
  }
}
