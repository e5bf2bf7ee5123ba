import type { Settings } from "../config/settings.ts";
import { claimNames } from "../model/claims.ts";
import {
  type EndpointField,
  openIdMembers,
  type ServerMetadata,
} from "../model/server_metadata.ts";
import { clientAlgorithms } from "../model/signing.ts";
import { clientAssertionAlgorithms } from "../protocol/client_assertion.ts";
import { prompts } from "../protocol/interactive_request.ts";
import { codeChallengeMethods } from "../protocol/pkce.ts";
import { responseModeValues } from "../protocol/response_target.ts";
import { refreshExpirationTypes } from "./tokens/refresh_tokens.ts";

/** The URLs of the endpoints that this server has. */
export type EndpointUrls = Partial<Record<EndpointField, string>>;

/** Computes the server's metadata (RFC 8414, section 2; OpenID Connect Discovery, section 3). */
export function describeServer(settings: Settings, endpoints: EndpointUrls): ServerMetadata {
  const { issuer, grantTypes, idTokenAlgs, acrValues, resources } = settings;
  const { authentication, algs } = settings.profile;
  const assertionAlgs = authentication.flatMap((method) => clientAssertionAlgorithms(method, algs));
  const protectedResources = resources === "any"
    ? []
    : resources.only.map(({ uri }) => uri).filter((uri) => uri !== issuer);
  const detailTypes = Object.keys(settings.authorizationDetails);
  const scopes = [...settings.scopes.keys()];
  const { policyUri, tosUri, serviceDocumentation } = settings;
  const metadata = {
    issuer,
    ...endpoints,
    ...policyUri !== undefined && { op_policy_uri: policyUri },
    ...tosUri !== undefined && { op_tos_uri: tosUri },
    ...serviceDocumentation !== undefined && { service_documentation: serviceDocumentation },
    scopes_supported: scopes,
    response_types_supported: ["code"],
    response_modes_supported: responseModeValues,
    authorization_signing_alg_values_supported: idTokenAlgs,
    grant_types_supported: grantTypes,
    subject_types_supported: ["public", "pairwise"],
    id_token_signing_alg_values_supported: idTokenAlgs,
    userinfo_signing_alg_values_supported: idTokenAlgs,
    token_endpoint_auth_methods_supported: authentication,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgs,
    revocation_endpoint_auth_methods_supported: authentication,
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgs,
    introspection_endpoint_auth_methods_supported: authentication.filter((method) =>
      method !== "none"
    ),
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgs,
    introspection_signing_alg_values_supported: idTokenAlgs,
    dpop_signing_alg_values_supported: settings.dpopAlgs,
    ...grantTypes.includes("refresh_token") &&
      { refresh_token_expiration_types_supported: refreshExpirationTypes },
    ...protectedResources.length > 0 && { protected_resources: protectedResources },
    ...acrValues.length > 0 && { acr_values_supported: acrValues },
    ...settings.clientMetadataDocuments && { client_id_metadata_document_supported: true },
    ...detailTypes.length > 0 && { authorization_details_types_supported: detailTypes },
    code_challenge_methods_supported: codeChallengeMethods,
    claims_supported: ["sub", "iss", "auth_time", "acr", "amr", "sid", ...claimNames(scopes)],
    prompt_values_supported: prompts,
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
    claims_parameter_supported: true,
    display_values_supported: ["page"],
    request_parameter_supported: true,
    request_object_signing_alg_values_supported: clientAlgorithms(algs),
    ...settings.requirePar && { require_pushed_authorization_requests: true },
    request_uri_parameter_supported: false,
  };
  return scopes.includes("openid") ? metadata : withoutOpenId(metadata);
}

function withoutOpenId({ issuer, ...others }: ServerMetadata): ServerMetadata {
  return {
    issuer,
    ...Object.fromEntries(Object.entries(others).filter(([name]) => !openIdMembers.has(name))),
  };
}
