import { authenticationOf, grantTypesOf } from "../../config/derived_client_settings.ts";
import type { Offer } from "../../config/offer.ts";
import {
  reportBelow,
  reportDuplicates,
  type ReportProblem,
  reportUnlisted,
} from "../../config/problems.ts";
import type { CoreClientConfig } from "../../model/client_config.ts";
import { tokenExchangeGrantType } from "../../protocol/grant_types.ts";
import { type IdJagConfig, readSettings } from "./config.ts";

/** Reports what prevents a client from getting ID-JAGs, or would mix up what they are for. */
export function checkIdJag(
  config: CoreClientConfig,
  server: Pick<Offer, "issuer">,
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
    checkEntry(config, entry, server.issuer, reportBelow(`idJag[${at}]`, report));
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
