import { isApiScope } from "../model/claims.ts";
import type { Client } from "../model/client.ts";
import type { ClientConfig } from "../model/client_config.ts";
import { isNativeUri } from "../protocol/redirect_uri.ts";
import { parseDuration } from "../util/duration.ts";
import { sha256 } from "../util/hash.ts";
import { authenticationOf } from "./client_proof.ts";
import { fillClient } from "./profiles/profile.ts";
import type { ServerCapabilities } from "./server_capabilities.ts";

/** Characters of base64url that hold 128 bits. */
const minUnguessable = 22;

/** Makes a client of what the operator wrote. */
export async function toClient(
  given: ClientConfig,
  offered: Pick<ServerCapabilities, "profile" | "scopes" | "detailTypes" | "requirePar">,
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
    hasLongSecret: config.secret !== undefined && config.secret.length >= minUnguessable,
    encryptedSecret: authentication.includes("client_secret_jwt") ? config.secret : undefined,
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
    tokenExchange: config.tokenExchange &&
      { impersonation: false, delegation: false, ...config.tokenExchange },
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

/** Clients of one host see the same subjects (OpenID Connect Core, section 8.1). People's own machines are nobody's host. */
function sectorOf({ id, sectorIdentifierUri, redirectUris = [] }: ClientConfig): string {
  const decisive = sectorIdentifierUri ?? redirectUris[0];
  return decisive !== undefined && URL.canParse(decisive) && !isNativeUri(decisive)
    ? new URL(decisive).host
    : id;
}

/** The grants of a client that names none. */
export function grantTypesOf(config: ClientConfig): string[] {
  return config.grantTypes ??
    (config.redirectUris?.length
      ? ["authorization_code", "refresh_token"]
      : ["client_credentials"]);
}
