import type { Profile } from "../config/profiles/profile.ts";
import { type Offer, type Settings, trustedOffer } from "../config/settings.ts";
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
import { isResourceUri } from "../protocol/resource.ts";
import { responseModeValues } from "../protocol/response_target.ts";
import { withoutUndefined } from "../util/values/members.ts";

export type EndpointUrls = Partial<Record<EndpointField, string>>;

/** Computes the server's metadata (RFC 8414, section 2; OpenID Connect Discovery, section 3). */
export function describeServer(
  settings: Settings,
  endpoints: EndpointUrls,
  added: Readonly<Record<string, unknown>>,
): ServerMetadata {
  const { issuer, profile } = settings;
  const idTokenAlgs = settings.idTokenAlgs();
  const offer = trustedOffer(settings);
  const { scopes } = offer;
  const metadata = withoutUndefined({
    issuer,
    ...endpoints,
    op_policy_uri: settings.policyUri,
    op_tos_uri: settings.tosUri,
    service_documentation: settings.serviceDocumentation,
    ...describeOffer(offer),
    response_types_supported: ["code"],
    response_modes_supported: responseModeValues,
    authorization_signing_alg_values_supported: idTokenAlgs,
    subject_types_supported: ["public", "pairwise"],
    id_token_signing_alg_values_supported: settings.hasHmacIdTokens()
      ? [...idTokenAlgs, "HS256"]
      : idTokenAlgs,
    userinfo_signing_alg_values_supported: idTokenAlgs,
    ...authenticationAt("token_endpoint", profile),
    dpop_signing_alg_values_supported: settings.dpopAlgs,
    protected_resources: unlessEmpty(protectedResources(settings)),
    acr_values_supported: unlessEmpty(settings.acrValues),
    code_challenge_methods_supported: codeChallengeMethods,
    claims_supported: [
      ...["sub", "iss", "auth_time", "acr", "amr", "sid"],
      ...new Set([...claimNames(scopes, settings), ...settings.openedClaims()]),
    ],
    prompt_values_supported: prompts,
    authorization_response_iss_parameter_supported: true,
    claims_parameter_supported: true,
    display_values_supported: ["page"],
    ui_locales_supported: unlessEmpty(settings.languages.map(({ tag }) => tag)),
    request_parameter_supported: true,
    request_object_signing_alg_values_supported: clientAlgorithms(settings.profile.algs),
    // If it were left out, it would be true (OpenID Connect Discovery, section 3).
    ...!added.request_uri_parameter_supported && { request_uri_parameter_supported: false },
  });
  const whole = addMembers(metadata, added);
  return scopes.includes("openid") ? whole : withoutOpenId(whole);
}

/** Describes what clients may choose from. */
export function describeOffer(
  { scopes, grantTypes, authorizationDetailsTypes }: Offer,
): Record<string, readonly string[] | undefined> {
  return {
    scopes_supported: scopes,
    grant_types_supported: grantTypes,
    authorization_details_types_supported: unlessEmpty(authorizationDetailsTypes),
  };
}

/** Describes how clients authenticate at an endpoint. */
export function authenticationAt(
  endpoint: EndpointField,
  { authentication: methods, algs }: Profile,
): Record<string, readonly string[]> {
  return {
    [`${endpoint}_auth_methods_supported`]: methods,
    [`${endpoint}_auth_signing_alg_values_supported`]: methods.flatMap((method) =>
      clientAssertionAlgorithms(method, algs)
    ),
  };
}

/** Returns the configured resources, without the issuer itself (RFC 9728, section 4). */
function protectedResources({ resources, issuer }: Settings): string[] {
  if (resources === "any") return [];
  return resources.only.map(({ uri }) => uri).filter((uri) => uri !== issuer && isResourceUri(uri));
}

/** Adds members, of which none may exist: no feature changes what is described already. */
export function addMembers<Members extends object>(
  members: Members,
  added: Readonly<Record<string, unknown>> = {},
): Members {
  const taken = Object.keys(added).find((name) => Object.hasOwn(members, name));
  if (taken !== undefined) throw new Error(`The metadata member '${taken}' is defined twice.`);
  return { ...members, ...added };
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

function withoutOpenId({ issuer, ...others }: ServerMetadata): ServerMetadata {
  return {
    issuer,
    ...Object.fromEntries(Object.entries(others).filter(([name]) => !openIdMembers.has(name))),
  };
}
