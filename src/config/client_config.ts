import { jwtBearerGrant } from "../protocol/bearer_assertion.ts";
import { isApiScope } from "../protocol/claims.ts";
import type { Client } from "../protocol/client.ts";
import { sha256 } from "../protocol/digest.ts";
import { frontchannelLogoutUriProblem, logoutUriProblem } from "../protocol/logout_uri.ts";
import { redirectUriProblem } from "../protocol/redirect_uri.ts";
import { authenticationOf, checkProof } from "./client_proof.ts";
import type { ClientConfig } from "./config.ts";
import { parseDuration } from "./duration.ts";
import type { Profile } from "./profiles/profile.ts";
import { checkRules, fillClient } from "./profiles/profile.ts";
import type { Settings } from "./settings.ts";
import type { Report } from "./shape.ts";
import { checkTokenExchange } from "./token_exchange.ts";

/** What of the server a client's configuration refers to. */
export interface Offered {
  profile: Profile;
  scopes: readonly string[];
  grantTypes: readonly string[];
  /** The types of authorization details. */
  detailTypes: readonly string[];
  requirePar: boolean;
  httpRedirectUris: boolean;
}

/** What a running server offers to the clients that are added to it. */
export function offeredBy(settings: Settings): Offered {
  const { profile, scopes, authorizationDetails, grantTypes, requirePar, httpRedirectUris } = settings;
  const detailTypes = Object.keys(authorizationDetails);
  return { profile, scopes: [...scopes.keys()], detailTypes, grantTypes, requirePar, httpRedirectUris };
}

/** Makes a client of what the operator wrote. */
export async function toClient(
  given: ClientConfig,
  offered: Pick<Offered, "profile" | "scopes" | "detailTypes" | "requirePar">,
): Promise<Client> {
  const config = fillClient(offered.profile, given);
  const scopes = config.scopes ?? [...offered.scopes];
  const native = config.native ?? false;
  const authentication = authenticationOf(config);
  return {
    id: config.id,
    name: config.name ?? config.id,
    authentication,
    secretHash: config.secret && await sha256(config.secret),
    sealedSecret: authentication.includes("client_secret_jwt") ? config.secret : undefined,
    jwks: config.jwks,
    jwksUri: config.jwksUri,
    authenticationAlg: config.authenticationAlg,
    assertionAudience: config.assertionAudience ?? "issuer",
    redirectUris: config.redirectUris ?? [],
    grantTypes: grantTypesOf(config),
    scopes,
    defaultScope: config.defaultScope ?? scopes.filter(isApiScope),
    native,
    pkce: config.pkce ?? "required",
    redirectUriAtToken: config.redirectUriAtToken ?? "required",
    responseModes: config.responseModes ?? ["query", "form_post"],
    rememberConsent: config.rememberConsent ?? !native,
    introspect: config.introspect ?? "own",
    resources: config.resources ?? [],
    accessTokenFormat: config.accessTokenFormat ?? "jwt",
    idTokenAlg: config.idTokenAlg,
    userinfoAlg: config.userinfoAlg,
    introspectionAlg: config.introspectionAlg,
    authorizationResponseAlg: config.authorizationResponseAlg,
    requestObjectAlg: config.requestObjectAlg,
    requireSignedRequest: config.requireSignedRequest ?? false,
    requirePar: config.requirePar ?? offered.requirePar,
    dpop: config.dpop ?? "optional",
    subjectType: config.subjectType ?? "public",
    sector: sectorOf(config),
    postLogoutRedirectUris: config.postLogoutRedirectUris ?? [],
    backchannelLogoutUri: config.backchannelLogoutUri,
    frontchannelLogoutUri: config.frontchannelLogoutUri,
    defaultMaxAge: parseDuration(config.defaultMaxAge),
    defaultAcrValues: config.defaultAcrValues ?? [],
    authorizationDetailsTypes: config.authorizationDetailsTypes ?? [...offered.detailTypes],
    tokenExchange: config.tokenExchange && { impersonation: false, delegation: false, ...config.tokenExchange },
    clientUri: config.clientUri,
    logoUri: config.logoUri,
    policyUri: config.policyUri,
    tosUri: config.tosUri,
    contacts: config.contacts ?? [],
    initiateLoginUri: config.initiateLoginUri,
    trusted: true,
    disabled: config.disabled ?? false,
  };
}

/** Clients of one host see the same subjects (OpenID Connect Core, section 8.1). */
function sectorOf({ id, sectorIdentifierUri, redirectUris = [] }: ClientConfig): string {
  const decisive = sectorIdentifierUri ?? redirectUris[0];
  return decisive !== undefined && URL.canParse(decisive) ? new URL(decisive).host : id;
}

function grantTypesOf(config: ClientConfig): string[] {
  return config.grantTypes ?? (config.redirectUris?.length ? ["authorization_code", "refresh_token"] : ["client_credentials"]);
}

/** Tells what a client's members say against each other, or against the server. */
export function checkClient(given: ClientConfig, offered: Offered, report: Report): void {
  const config = fillClient(offered.profile, given);
  const scopes = config.scopes ?? offered.scopes;
  const grants = grantTypesOf(config);
  const authentication = authenticationOf(config);
  reportBeyond("scopes", config.scopes, offered.scopes, ", which is no scope of the server", report);
  reportBeyond("defaultScope", config.defaultScope, scopes, ", which is not among its scopes", report);
  reportBeyond("grantTypes", config.grantTypes, offered.grantTypes, `; known are: ${offered.grantTypes.join(", ")}`, report);
  const unknownType = ", which is no type of authorization details of the server";
  reportBeyond("authorizationDetailsTypes", config.authorizationDetailsTypes, offered.detailTypes, unknownType, report);
  config.redirectUris?.forEach((uri, at) => {
    const problem = redirectUriProblem(uri, offered.httpRedirectUris);
    if (problem) report(`redirectUris[${at}]`, problem);
  });
  checkLogoutUris(config, offered.httpRedirectUris, report);
  if (grants.includes("authorization_code") && !config.redirectUris?.length) {
    report("redirectUris", "is empty, but the client may use the authorization code grant");
  }
  if (grants.includes(jwtBearerGrant) && authentication.includes("none")) {
    report("secret", "is missing, but the client may use the JWT bearer grant");
  }
  if (grants.includes("client_credentials") && authentication.includes("none")) {
    report("secret", "is missing, but the client may use the client credentials grant");
  }
  checkProof(config, offered.profile, report);
  checkTokenExchange(config, grants, authentication, report);
  if (config.pkce === "optional" && authentication.includes("none")) {
    report("pkce", "can be optional for confidential clients only");
  }
  if (config.requirePar === false && offered.requirePar) report("requirePar", "says false, but the server asks it of every client");
  checkRules(offered.profile, offered.profile.clientRules, config, report);
}

function checkLogoutUris(config: ClientConfig, allowHttp: boolean, report: Report): void {
  const { postLogoutRedirectUris = [], backchannelLogoutUri, frontchannelLogoutUri, redirectUris = [] } = config;
  const tell = (path: string, problem: string | undefined) => problem && report(path, problem);
  postLogoutRedirectUris.forEach((uri, at) => tell(`postLogoutRedirectUris[${at}]`, redirectUriProblem(uri, allowHttp)));
  if (backchannelLogoutUri) tell("backchannelLogoutUri", logoutUriProblem(backchannelLogoutUri, allowHttp));
  if (frontchannelLogoutUri) tell("frontchannelLogoutUri", frontchannelLogoutUriProblem(frontchannelLogoutUri, redirectUris, allowHttp));
}

export function reportBeyond(path: string, given: readonly string[] = [], allowed: readonly string[], why: string, report: Report): void {
  for (const each of given) if (!allowed.includes(each)) report(path, `holds '${each}'${why}`);
}
