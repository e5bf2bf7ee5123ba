import type { ClientConfig } from "../model/client_config.ts";
import { jwtBearerGrant } from "../protocol/bearer_assertion.ts";
import { frontchannelLogoutUriProblem, logoutUriProblem } from "../protocol/logout_uri.ts";
import { redirectUriProblem } from "../protocol/redirect_uri.ts";
import { authenticationOf, checkProof } from "./client_proof.ts";
import { grantTypesOf } from "./make_client.ts";
import { reportBeyond } from "./problems.ts";
import { checkRules, fillClient } from "./profiles/profile.ts";
import type { ServerCapabilities } from "./server_capabilities.ts";
import type { ReportProblem } from "./shape.ts";
import { checkTokenExchange } from "./token_exchange_config.ts";

/** Grants that a client uses without any person, so that it must prove who it is. */
const confidentialGrants = [[jwtBearerGrant, "JWT bearer"], [
  "client_credentials",
  "client credentials",
]] as const;

/** Tells what a client's members say against each other, or against the server. */
export function checkClient(
  given: ClientConfig,
  capabilities: ServerCapabilities,
  report: ReportProblem,
): void {
  const config = fillClient(capabilities.profile, given);
  const scopes = config.scopes ?? capabilities.scopes;
  const grants = grantTypesOf(config);
  const authentication = authenticationOf(config);
  reportBeyond(report, "scopes", config.scopes, {
    among: capabilities.scopes,
    why: ", which is no scope of the server",
  });
  reportBeyond(report, "defaultScope", config.defaultScope, {
    among: scopes,
    why: ", which is not among its scopes",
  });
  reportBeyond(report, "grantTypes", config.grantTypes, {
    among: capabilities.grantTypes,
    why: `, which is not among the server's grantTypes: ${capabilities.grantTypes.join(", ")}`,
  });
  reportBeyond(report, "authorizationDetailsTypes", config.authorizationDetailsTypes, {
    among: capabilities.detailTypes,
    why: ", which is no type of authorization details of the server",
  });
  config.redirectUris?.forEach((uri, at) => {
    const problem = redirectUriProblem(uri, capabilities.httpRedirectUris);
    if (problem) report(`redirectUris[${at}]`, problem);
  });
  checkLogoutUris(config, capabilities.httpRedirectUris, report);
  if (grants.includes("authorization_code") && !config.redirectUris?.length) {
    report("redirectUris", "is empty, but the client may use the authorization code grant");
  }
  if (authentication.includes("none")) {
    for (const [type, name] of confidentialGrants) {
      if (grants.includes(type)) {
        report("secret", `is missing, but the client may use the ${name} grant`);
      }
    }
  }
  checkProof(config, capabilities.profile, report);
  checkTokenExchange(config, grants, authentication, report);
  if (config.pkce === "optional" && authentication.includes("none")) {
    report("pkce", "can be optional for confidential clients only");
  }
  if (config.requirePar === false && capabilities.requirePar) {
    report("requirePar", "says false, but the server asks it of every client");
  }
  checkRules(capabilities.profile, capabilities.profile.clientRules, config, report);
}

function checkLogoutUris(config: ClientConfig, allowHttp: boolean, report: ReportProblem): void {
  const {
    postLogoutRedirectUris = [],
    backchannelLogoutUri,
    frontchannelLogoutUri,
    redirectUris = [],
  } = config;
  const tell = (path: string, problem: string | undefined) => problem && report(path, problem);
  postLogoutRedirectUris.forEach((uri, at) =>
    tell(`postLogoutRedirectUris[${at}]`, redirectUriProblem(uri, allowHttp))
  );
  if (backchannelLogoutUri) {
    tell("backchannelLogoutUri", logoutUriProblem(backchannelLogoutUri, allowHttp));
  }
  if (frontchannelLogoutUri) {
    tell(
      "frontchannelLogoutUri",
      frontchannelLogoutUriProblem(frontchannelLogoutUri, redirectUris, allowHttp),
    );
  }
}
