import type { ClientConfig } from "../model/client_config.ts";
import { redirectUriProblem } from "../protocol/redirect_uri.ts";
import { isResourceUri } from "../protocol/resource.ts";
import { isReadable } from "../util/readable_text.ts";
import { isSecureUrl } from "../util/uri.ts";
import { flag, listOf, oneOf, type Shape, text, textWhere } from "./shape.ts";
import { keySet, url } from "./value_shapes.ts";

/** Something that a client may say of itself. */
export interface MetadataMember {
  name: string;
  shape: Shape;
  /** The member of the server's metadata that lists what there is to choose from. */
  among?: string;
  /** The member of the server's metadata without which there is no such thing here. */
  needs?: string;
  /** The member of a client's configuration that it fills. Without one it is only remembered. */
  fills?: keyof ClientConfig;
  /** Puts it as the configuration does. */
  as?: (value: never) => unknown;
}

const maxNameLength = 200;

/** People read it on our pages, so it must not hide or turn around what stands beside it. */
const name = textWhere((value) => {
  if (value.length > maxNameLength) return `has more than ${maxNameLength} characters`;
  return isReadable(value) ? undefined : "has control characters, or invisible ones";
});
/** Http on loopback is for a lab; whether this is one, the maker of the client knows. */
const secureUrl = textWhere((value) =>
  isResourceUri(value) && isSecureUrl(value) ? undefined : "must be an https URL without a fragment"
);
const returnUri = textWhere((value) => redirectUriProblem(value));
const wholeSeconds: Shape = (value, path, report) => {
  if (!Number.isSafeInteger(value) || Number(value) < 0) {
    report(path, "must be a whole number of seconds");
  }
};
const unsupported: Shape = (_, path, report) =>
  report(path, "asks for encryption, which this server does not do");
const requiredIf = (value: boolean) => value ? "required" : "optional";

/**
 * Every member that is understood (RFC 7591, section 2; OpenID Connect Registration, section 2; and what was registered later).
 * Others are ignored, and so are names in other languages, such as `client_name#de`.
 */
export const members: readonly MetadataMember[] = [
  { name: "redirect_uris", shape: listOf(text), fills: "redirectUris" },
  {
    name: "token_endpoint_auth_method",
    shape: text,
    among: "token_endpoint_auth_methods_supported",
    fills: "authentication",
    as: (method: string) => [method],
  },
  {
    name: "token_endpoint_auth_signing_alg",
    shape: text,
    among: "token_endpoint_auth_signing_alg_values_supported",
    fills: "authenticationAlg",
  },
  { name: "grant_types", shape: listOf(text), fills: "grantTypes" },
  { name: "response_types", shape: listOf(text), among: "response_types_supported" },
  {
    name: "response_modes",
    shape: listOf(text),
    among: "response_modes_supported",
    fills: "responseModes",
  },
  {
    name: "application_type",
    shape: oneOf("web", "native"),
    fills: "native",
    as: (type: string) => type === "native",
  },
  {
    name: "scope",
    shape: text,
    fills: "scopes",
    as: (scope: string) => scope.split(" ").filter(Boolean),
  },
  { name: "client_name", shape: name, fills: "name" },
  { name: "client_uri", shape: url, fills: "clientUri" },
  { name: "logo_uri", shape: url, fills: "logoUri" },
  { name: "policy_uri", shape: url, fills: "policyUri" },
  { name: "tos_uri", shape: url, fills: "tosUri" },
  { name: "contacts", shape: listOf(name), fills: "contacts" },
  { name: "software_id", shape: name },
  { name: "software_version", shape: name },
  { name: "jwks", shape: keySet, fills: "jwks" },
  { name: "jwks_uri", shape: secureUrl, fills: "jwksUri" },
  { name: "subject_type", shape: text, among: "subject_types_supported", fills: "subjectType" },
  { name: "sector_identifier_uri", shape: secureUrl, fills: "sectorIdentifierUri" },
  {
    name: "id_token_signed_response_alg",
    shape: text,
    among: "id_token_signing_alg_values_supported",
    fills: "idTokenAlg",
  },
  {
    name: "userinfo_signed_response_alg",
    shape: text,
    among: "userinfo_signing_alg_values_supported",
    fills: "userinfoAlg",
  },
  {
    name: "introspection_signed_response_alg",
    shape: text,
    among: "introspection_signing_alg_values_supported",
    fills: "introspectionAlg",
  },
  {
    name: "authorization_signed_response_alg",
    shape: text,
    among: "authorization_signing_alg_values_supported",
    fills: "authorizationResponseAlg",
  },
  {
    name: "request_object_signing_alg",
    shape: text,
    among: "request_object_signing_alg_values_supported",
    fills: "requestObjectAlg",
  },
  {
    name: "require_signed_request_object",
    shape: flag,
    needs: "request_parameter_supported",
    fills: "requireSignedRequest",
  },
  {
    name: "require_pushed_authorization_requests",
    shape: flag,
    needs: "pushed_authorization_request_endpoint",
    fills: "requirePar",
  },
  {
    name: "dpop_bound_access_tokens",
    shape: flag,
    needs: "dpop_signing_alg_values_supported",
    fills: "dpop",
    as: requiredIf,
  },
  {
    name: "authorization_details_types",
    shape: listOf(text),
    among: "authorization_details_types_supported",
    fills: "authorizationDetailsTypes",
  },
  { name: "default_max_age", shape: wholeSeconds, fills: "defaultMaxAge" },
  { name: "require_auth_time", shape: flag },
  {
    name: "default_acr_values",
    shape: listOf(text),
    among: "acr_values_supported",
    fills: "defaultAcrValues",
  },
  { name: "initiate_login_uri", shape: secureUrl, fills: "initiateLoginUri" },
  {
    name: "post_logout_redirect_uris",
    shape: listOf(returnUri),
    needs: "end_session_endpoint",
    fills: "postLogoutRedirectUris",
  },
  {
    name: "backchannel_logout_uri",
    shape: secureUrl,
    needs: "backchannel_logout_supported",
    fills: "backchannelLogoutUri",
  },
  {
    name: "backchannel_logout_session_required",
    shape: flag,
    needs: "backchannel_logout_session_supported",
  },
  {
    name: "frontchannel_logout_uri",
    shape: secureUrl,
    needs: "frontchannel_logout_supported",
    fills: "frontchannelLogoutUri",
  },
  {
    name: "frontchannel_logout_session_required",
    shape: flag,
    needs: "frontchannel_logout_session_supported",
  },
  ...["id_token", "userinfo", "introspection", "authorization"].flatMap((
    what,
  ): MetadataMember[] => [
    { name: `${what}_encrypted_response_alg`, shape: unsupported },
    { name: `${what}_encrypted_response_enc`, shape: unsupported },
  ]),
  { name: "request_object_encryption_alg", shape: unsupported },
  { name: "request_object_encryption_enc", shape: unsupported },
];
