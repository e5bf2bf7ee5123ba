import { authenticationOf, grantTypesOf } from "../../config/make_client.ts";
import {
  reportBelow,
  reportDuplicates,
  type ReportProblem,
  reportUnlisted,
} from "../../config/problems.ts";
import type { Offer } from "../../config/settings.ts";
import type { CoreClientConfig } from "../../model/client_config.ts";
import { tokenExchangeGrantType } from "../../protocol/grant_types.ts";
import { type IdJagConfig, readSettings } from "./config.ts";

export function checkExchange(
  config: CoreClientConfig,
  offer: Offer,
  report: ReportProblem,
): void {
  checkTokenExchange(config, report);
  checkIdJag(config, offer, report);
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

/** Reports a policy that allows nothing: without its grant, or with a grant that has no policy. */
function checkTokenExchange(config: CoreClientConfig, report: ReportProblem): void {
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

/** Reports what prevents a client from getting ID-JAGs, or would mix up what they are for. */
function checkIdJag(
  config: CoreClientConfig,
  { settings: { issuer } }: Offer,
  report: ReportProblem,
): void {
  const { idJag: entries = [] } = readSettings(config);
  if (entries.length === 0) return;
  if (!grantTypesOf(config).includes(tokenExchangeGrantType)) {
    report("idJag", "is set, but the client's grantTypes do not contain the token exchange grant");
  }
  if (authenticationOf(config).includes("none")) {
    report("idJag", "is for confidential clients only");
  }
  const targets = entries.map(({ audience, resource }) => [audience, resource].join(" ").trim());
  reportDuplicates(report, "idJag", targets);
  for (const [at, entry] of entries.entries()) {
    checkEntry(config, entry, issuer, reportBelow(`idJag[${at}]`, report));
  }
}

function checkEntry(
  { subjectType }: CoreClientConfig,
  { audience, scopes, users = {}, relyingParty }: IdJagConfig,
  issuer: string,
  report: ReportProblem,
): void {
  if (audience === issuer) {
    report("audience", "is this server, which does not accept ID-JAGs that it issued");
  }
  if (scopes.length === 0) report("scopes", "is empty, so that no ID-JAG could be issued");
  for (const [name, ofUser] of Object.entries(users)) {
    const why = ", which is not among the scopes of the entry";
    reportUnlisted(report, `users.${name}`, ofUser, { among: scopes, why });
  }
  if (subjectType === "pairwise" && relyingParty === undefined) {
    report("relyingParty", "is missing, but the client may not see the public 'sub' of a user");
  }
}
