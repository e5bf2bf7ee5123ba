import { coreClientSchema } from "../../config/config_data.ts";
import type { Schema } from "../../config/schema.ts";
import type { Offer } from "../../config/settings.ts";
import type { ClientMetadata } from "../../model/client.ts";

/** A member of the metadata with which a client describes itself. */
export interface MetadataMember extends MemberDefinition {
  name: string;
  schema: Schema;
}

interface MemberDefinition {
  /** What the value may be. By default, what the setting may be. */
  schema?: Schema;
  /** The member of the server's metadata that lists the values to choose from. */
  among?: string;
  /** The member of the server's metadata without which this one is not supported. */
  needs?: string;
  /** The setting of the client that follows. Without one, the member is only remembered. */
  setting?: string;
  convert?: (value: never) => unknown;
  /** Whether the member is meaningful together with the others. If not, it is dropped. */
  applies?: (metadata: ClientMetadata) => boolean;
}

const text: Schema = { type: "string" };
const texts: Schema = { type: "array", items: text };
const flag: Schema = { type: "boolean" };
const displayName: Schema = { type: "string", format: "display-name" };
const httpsUrl: Schema = { type: "string", format: "https-url" };
const redirectUris: Schema = { type: "array", items: { type: "string", format: "redirect-uri" } };

/**
 * Every member that the server understands (RFC 7591, section 2; OpenID Connect Registration,
 * section 2; and the registry). It ignores others, and names in other languages: `client_name#de`.
 */
const definitions: Readonly<Record<string, MemberDefinition>> = {
  redirect_uris: { setting: "redirectUris" },
  token_endpoint_auth_method: {
    schema: text,
    among: "token_endpoint_auth_methods_supported",
    setting: "authentication",
    convert: (method: string) => [method],
  },
  token_endpoint_auth_signing_alg: {
    among: "token_endpoint_auth_signing_alg_values_supported",
    setting: "authenticationAlg",
    applies: ({ token_endpoint_auth_method: method }) => String(method).endsWith("_jwt"),
  },
  grant_types: { setting: "grantTypes" },
  response_types: { schema: texts, among: "response_types_supported" },
  response_modes: { among: "response_modes_supported", setting: "responseModes" },
  application_type: {
    schema: { type: "enum", values: ["web", "native"] },
    setting: "native",
    convert: (type: string) => type === "native",
  },
  scope: {
    schema: text,
    setting: "scopes",
    convert: (scope: string) => scope.split(" ").filter(Boolean),
  },
  client_name: { schema: displayName, setting: "name" },
  client_uri: { setting: "clientUri" },
  logo_uri: { setting: "logoUri" },
  policy_uri: { setting: "policyUri" },
  tos_uri: { setting: "tosUri" },
  contacts: { schema: { type: "array", items: displayName }, setting: "contacts" },
  authorization_grant_profiles_supported: { schema: texts },
  software_id: { schema: displayName },
  software_version: { schema: displayName },
  jwks: { setting: "jwks" },
  jwks_uri: { schema: httpsUrl, setting: "jwksUri" },
  subject_type: { among: "subject_types_supported", setting: "subjectType" },
  sector_identifier_uri: { schema: httpsUrl, setting: "sectorIdentifierUri" },
  id_token_signed_response_alg: {
    among: "id_token_signing_alg_values_supported",
    setting: "idTokenAlg",
  },
  userinfo_signed_response_alg: {
    among: "userinfo_signing_alg_values_supported",
    setting: "userinfoAlg",
  },
  introspection_signed_response_alg: {
    among: "introspection_signing_alg_values_supported",
    setting: "introspectionAlg",
  },
  authorization_signed_response_alg: {
    among: "authorization_signing_alg_values_supported",
    setting: "authorizationResponseAlg",
  },
  request_object_signing_alg: {
    among: "request_object_signing_alg_values_supported",
    setting: "requestObjectAlg",
  },
  request_uris: { needs: "require_request_uri_registration", setting: "requestUris" },
  require_signed_request_object: {
    needs: "request_parameter_supported",
    setting: "requireSignedRequest",
  },
  require_pushed_authorization_requests: {
    needs: "pushed_authorization_request_endpoint",
    setting: "requirePar",
  },
  dpop_bound_access_tokens: {
    schema: flag,
    needs: "dpop_signing_alg_values_supported",
    setting: "dpop",
    convert: (isBound: boolean) => isBound ? "required" : "optional",
  },
  tls_client_certificate_bound_access_tokens: {
    schema: flag,
    needs: "tls_client_certificate_bound_access_tokens",
    setting: "certificateBoundTokens",
  },
  ...certificateNames([
    ["tls_client_auth_subject_dn", "tlsClientAuthSubjectDn"],
    ["tls_client_auth_san_dns", "tlsClientAuthSanDns"],
    ["tls_client_auth_san_uri", "tlsClientAuthSanUri"],
    ["tls_client_auth_san_ip", "tlsClientAuthSanIp"],
    ["tls_client_auth_san_email", "tlsClientAuthSanEmail"],
  ]),
  authorization_details_types: {
    among: "authorization_details_types_supported",
    setting: "authorizationDetailsTypes",
  },
  default_max_age: { schema: { type: "integer", minimum: 0 }, setting: "defaultMaxAge" },
  require_auth_time: { schema: flag },
  default_acr_values: { among: "acr_values_supported", setting: "defaultAcrValues" },
  initiate_login_uri: { schema: httpsUrl, setting: "initiateLoginUri" },
  post_logout_redirect_uris: {
    schema: redirectUris,
    needs: "end_session_endpoint",
    setting: "postLogoutRedirectUris",
  },
  backchannel_token_delivery_mode: {
    schema: text,
    among: "backchannel_token_delivery_modes_supported",
    setting: "backchannelDeliveryMode",
  },
  backchannel_client_notification_endpoint: {
    schema: httpsUrl,
    needs: "backchannel_authentication_endpoint",
    setting: "backchannelNotificationEndpoint",
  },
  backchannel_authentication_request_signing_alg: {
    schema: text,
    among: "backchannel_authentication_request_signing_alg_values_supported",
    setting: "backchannelRequestAlg",
  },
  backchannel_user_code_parameter: {
    schema: flag,
    needs: "backchannel_user_code_parameter_supported",
    setting: "backchannelUserCode",
  },
  backchannel_logout_uri: {
    schema: httpsUrl,
    needs: "backchannel_logout_supported",
    setting: "backchannelLogoutUri",
  },
  backchannel_logout_session_required: {
    schema: flag,
    needs: "backchannel_logout_session_supported",
  },
  frontchannel_logout_uri: {
    schema: httpsUrl,
    needs: "frontchannel_logout_supported",
    setting: "frontchannelLogoutUri",
  },
  frontchannel_logout_session_required: {
    schema: flag,
    needs: "frontchannel_logout_session_supported",
  },
  ...encryptionOf("id_token_encrypted_response", "id_token", "idToken"),
  ...encryptionOf("userinfo_encrypted_response", "userinfo", "userinfo"),
  ...encryptionOf("introspection_encrypted_response", "introspection", "introspection"),
  ...encryptionOf("authorization_encrypted_response", "authorization", "authorizationResponse"),
  ...encryptionOf("request_object_encryption", "request_object", "requestObject"),
};

/** Every member that the server understands. */
export const members: ReadonlyArray<MemberDefinition & { name: string }> = Object.entries(
  definitions,
).map(([name, definition]) => ({ ...definition, name }));

/** Returns the members with what their values may be: each feature declares that of its settings. */
export function typedMembers({ settings: { clientParts } }: Offer): MetadataMember[] {
  const added = clientParts.map(({ schema }) => schema.members);
  const settings = Object.assign({}, coreClientSchema.members, ...added);
  return members.map((member) => ({ ...member, schema: schemaOf(member, settings) }));
}

/** A value that the server's metadata lists is checked against that list alone. */
function schemaOf(
  { schema, setting = "", among }: MemberDefinition,
  { [setting]: settingSchema }: Readonly<Record<string, Schema>>,
): Schema {
  if (schema || !settingSchema) return schema ?? { type: "unknown" };
  if (among === undefined) return settingSchema;
  return settingSchema.type === "array" ? texts : text;
}

/** Returns the members that name the certificate of a client (RFC 8705, section 2.1.2). */
function certificateNames(
  names: ReadonlyArray<[name: string, setting: string]>,
): Record<string, MemberDefinition> {
  const applies = ({ token_endpoint_auth_method: method }: ClientMetadata) =>
    method === "tls_client_auth";
  return Object.fromEntries(
    names.map(([name, setting]) => [name, { schema: text, setting, applies }]),
  );
}

/** Returns the two members about the encryption of something, which the settings name alike. */
function encryptionOf(
  prefix: string,
  thing: string,
  setting: string,
): Record<string, MemberDefinition> {
  return Object.fromEntries(
    [["alg", "Alg"], ["enc", "Enc"]].map(([name, ending]) => [`${prefix}_${name}`, {
      schema: text,
      among: `${thing}_encryption_${name}_values_supported`,
      setting: `${setting}Encryption${ending}`,
    }]),
  );
}
