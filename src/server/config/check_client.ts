import type { CoreClientConfig } from "../model/client_config.ts";
import { jwtBearerGrantType } from "../protocol/grant_types.ts";
import { redirectUriProblem } from "../protocol/redirect_uri.ts";
import { checkClientAuthentication } from "./check_client_authentication.ts";
import { workloadPrefix } from "./formats.ts";
import { authenticationOf, grantTypesOf, receivesOnWeb } from "./make_client.ts";
import type { EndpointName } from "./paths_config.ts";
import { type ReportProblem, reportUnlisted } from "./problems.ts";
import { checkRules, type ClientSettings, fillClient } from "./profiles/profile.ts";
import type { Offer, Settings } from "./settings.ts";

/** The grants that involve no user, so that the client must authenticate. */
const confidentialGrants: ReadonlyMap<string, string> = new Map([
  [jwtBearerGrantType, "JWT bearer"],
  ["client_credentials", "client credentials"],
]);

/** Without its endpoint, each of them is refused: it is never ignored. */
const endpointDemands: ReadonlyArray<{
  setting: keyof ClientSettings;
  endpoint: EndpointName;
  isMade(config: ClientSettings): boolean;
}> = [
  {
    setting: "introspect",
    endpoint: "introspect",
    isMade: ({ introspect = "own" }) => introspect !== "own",
  },
  {
    setting: "introspectionAlg",
    endpoint: "introspect",
    isMade: ({ introspectionAlg }) => introspectionAlg !== undefined,
  },
  {
    setting: "requirePar",
    endpoint: "par",
    isMade: ({ requirePar = false }) => requirePar,
  },
];

/** Reports where the settings of a client contradict each other, or the offer. */
export function checkClient(given: CoreClientConfig, offer: Offer, report: ReportProblem): void {
  const { settings } = offer;
  const { profile } = settings;
  const config = fillClient(profile, given);
  // Its ID tokens and the access tokens of that API would have the same audience.
  if (settings.audiences.includes(config.id)) {
    report("id", `is '${config.id}', which is also the audience of access tokens`);
  }
  if (config.id.startsWith(workloadPrefix)) {
    report("id", `begins with '${workloadPrefix}', as only the subjects of workloads do`);
  }
  checkChoices(config, offer, report);
  checkRedirectUris(config, offer, report);
  checkPublicClient(config, report);
  const { native = false, redirectUris = [] } = config;
  if (config.pkce === "or-nonce" && !receivesOnWeb({ native, redirectUris })) {
    report(
      "pkce",
      "cannot be or-nonce for native clients and redirect URIs of a private-use scheme",
    );
  }
  if (config.consent === "skip") checkUnasked(config, report);
  checkClientAuthentication(config, profile, report);
  for (const { check } of settings.clientParts) check?.(config, offer, report);
  checkEndpointDemands(config, settings, report);
  if (config.requirePar === false && settings.requirePar) {
    report("requirePar", "is false, but the server requires it of every client");
  }
  checkRules(profile, profile.clientRules, config, report);
}

/** Reports each demand of a client whose endpoint the server does not have. */
export function checkEndpointDemands(
  config: ClientSettings,
  { paths }: Settings,
  report: ReportProblem,
): void {
  for (const { setting, endpoint, isMade } of endpointDemands) {
    if (!isMade(config) || Object.hasOwn(paths, endpoint)) continue;
    report(setting, `needs the endpoint '${endpoint}', which this server does not have`);
  }
}

function checkChoices(config: CoreClientConfig, offer: Offer, report: ReportProblem): void {
  const { scopes, grantTypes } = offer;
  reportUnlisted(report, "scopes", config.scopes, {
    among: scopes,
    why: whyNot(offer, scopes, ", which is not a scope of the server"),
  });
  reportUnlisted(report, "defaultScope", config.defaultScope, {
    among: config.scopes ?? scopes,
    why: ", which is not among its scopes",
  });
  const listed = `, which is not among the server's grantTypes: ${grantTypes.join(", ")}`;
  reportUnlisted(report, "grantTypes", config.grantTypes, {
    among: grantTypes,
    why: whyNot(offer, grantTypes, listed),
  });
  reportUnlisted(report, "authorizationDetailsTypes", config.authorizationDetailsTypes, {
    among: offer.authorizationDetailsTypes,
    why: ", which is not a type of authorization details of the server",
  });
}

/** A client that describes itself learns what it may have: the server may offer more to others. */
function whyNot({ level }: Offer, offered: readonly string[], toOperator: string): string {
  return level === "trusted" ? toOperator : `; allowed here: ${offered.join(" ") || "none"}`;
}

function checkRedirectUris(
  config: CoreClientConfig,
  { httpRedirectUris }: Offer,
  report: ReportProblem,
): void {
  const { redirectUris = [] } = config;
  for (const [at, uri] of redirectUris.entries()) {
    const problem = redirectUriProblem(uri, httpRedirectUris);
    if (problem) report(`redirectUris[${at}]`, problem);
  }
  if (redirectUris.length === 0 && grantTypesOf(config).includes("authorization_code")) {
    report("redirectUris", "is empty, but the client may use the authorization code grant");
  }
}

/** Users are not asked only about an application that cannot be imitated, and what was named. */
function checkUnasked(
  { native = false, redirectUris = [], scopes }: CoreClientConfig,
  report: ReportProblem,
): void {
  const isOnWeb = redirectUris.every((uri) => uri.startsWith("https:"));
  if (native || !isOnWeb) {
    report("consent", "can be skip only if every redirect URI is https, and the client not native");
  }
  if (!scopes) {
    report("consent", "is skip, but 'scopes' does not name what users are not asked for");
  }
}

/** Reports what only a client that authenticates may do. */
function checkPublicClient(config: CoreClientConfig, report: ReportProblem): void {
  if (!authenticationOf(config).includes("none")) return;
  const grantTypes = grantTypesOf(config);
  for (const [type, name] of confidentialGrants) {
    if (grantTypes.includes(type)) {
      report("secret", `is missing, but the client may use the ${name} grant`);
    }
  }
  if (config.pkce !== undefined && config.pkce !== "required") {
    report("pkce", `can be ${config.pkce} only for confidential clients`);
  }
}
