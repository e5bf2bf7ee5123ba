import type { ClientMetadata } from "../protocol/client.ts";
import type { Metadata } from "../protocol/metadata.ts";
import { OAuthError } from "../protocol/oauth_error.ts";
import { publicKeysProblem } from "../protocol/public_keys.ts";
import { isNativeUri, redirectUriProblem } from "../protocol/redirect_uri.ts";
import { isResource } from "../protocol/resource.ts";
import type { ClientConfig } from "./config.ts";
import type { Report, Shape } from "./shape.ts";
import { flag, listOf, oneOf, text, textWhere } from "./shape.ts";

/** Something that a client may say of itself. */
interface Member {
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

const name = textWhere((value) => value.length <= 200 ? undefined : "has more than 200 characters");
const page = textWhere((value) => isResource(value) && /^https?:/i.test(value) ? undefined : "must be a URL without a fragment");
const secureUrl = textWhere((value) => isResource(value) && /^https:/i.test(value) ? undefined : "must be an https URL without a fragment");
const returnUri = textWhere((value) => redirectUriProblem(value));
const publicKeys: Shape = (value, path, report) => {
  const problem = publicKeysProblem(value);
  if (problem) report(path, problem);
};
const wholeSeconds: Shape = (value, path, report) => {
  if (!Number.isSafeInteger(value) || Number(value) < 0) report(path, "must be a whole number of seconds");
};
const unsupported: Shape = (_, path, report) => report(path, "asks for encryption, which this server does not do");
const requiredIf = (value: boolean) => value ? "required" : "optional";

/**
 * Every member that is understood (RFC 7591, section 2; OpenID Connect Registration, section 2; and what was registered later).
 * Others are ignored, and so are names in other languages, such as `client_name#de`.
 */
const members: readonly Member[] = [
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
  { name: "response_modes", shape: listOf(text), among: "response_modes_supported", fills: "responseModes" },
  { name: "application_type", shape: oneOf("web", "native"), fills: "native", as: (type: string) => type === "native" },
  { name: "scope", shape: text, fills: "scopes", as: (scope: string) => scope.split(" ") },
  { name: "client_name", shape: name, fills: "name" },
  { name: "client_uri", shape: page, fills: "clientUri" },
  { name: "logo_uri", shape: page, fills: "logoUri" },
  { name: "policy_uri", shape: page, fills: "policyUri" },
  { name: "tos_uri", shape: page, fills: "tosUri" },
  { name: "contacts", shape: listOf(name), fills: "contacts" },
  { name: "software_id", shape: name },
  { name: "software_version", shape: name },
  { name: "jwks", shape: publicKeys, fills: "jwks" },
  { name: "jwks_uri", shape: secureUrl, fills: "jwksUri" },
  { name: "subject_type", shape: text, among: "subject_types_supported", fills: "subjectType" },
  { name: "sector_identifier_uri", shape: secureUrl, fills: "sectorIdentifierUri" },
  { name: "id_token_signed_response_alg", shape: text, among: "id_token_signing_alg_values_supported", fills: "idTokenAlg" },
  { name: "userinfo_signed_response_alg", shape: text, among: "userinfo_signing_alg_values_supported", fills: "userinfoAlg" },
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
  { name: "request_object_signing_alg", shape: text, among: "request_object_signing_alg_values_supported", fills: "requestObjectAlg" },
  { name: "require_signed_request_object", shape: flag, needs: "request_parameter_supported", fills: "requireSignedRequest" },
  { name: "require_pushed_authorization_requests", shape: flag, needs: "pushed_authorization_request_endpoint", fills: "requirePar" },
  { name: "dpop_bound_access_tokens", shape: flag, needs: "dpop_signing_alg_values_supported", fills: "dpop", as: requiredIf },
  {
    name: "authorization_details_types",
    shape: listOf(text),
    among: "authorization_details_types_supported",
    fills: "authorizationDetailsTypes",
  },
  { name: "default_max_age", shape: wholeSeconds, fills: "defaultMaxAge" },
  { name: "require_auth_time", shape: flag },
  { name: "default_acr_values", shape: listOf(text), among: "acr_values_supported", fills: "defaultAcrValues" },
  { name: "initiate_login_uri", shape: secureUrl, fills: "initiateLoginUri" },
  { name: "post_logout_redirect_uris", shape: listOf(returnUri), needs: "end_session_endpoint", fills: "postLogoutRedirectUris" },
  { name: "backchannel_logout_uri", shape: secureUrl, needs: "backchannel_logout_supported", fills: "backchannelLogoutUri" },
  { name: "backchannel_logout_session_required", shape: flag, needs: "backchannel_logout_session_supported" },
  { name: "frontchannel_logout_uri", shape: secureUrl, needs: "frontchannel_logout_supported", fills: "frontchannelLogoutUri" },
  { name: "frontchannel_logout_session_required", shape: flag, needs: "frontchannel_logout_session_supported" },
  ...["id_token", "userinfo", "introspection", "authorization"].flatMap((what): Member[] => [
    { name: `${what}_encrypted_response_alg`, shape: unsupported },
    { name: `${what}_encrypted_response_enc`, shape: unsupported },
  ]),
  { name: "request_object_encryption_alg", shape: unsupported },
  { name: "request_object_encryption_enc", shape: unsupported },
];

/** Takes what a client says for what it means to this server, defaults filled in; everything that is wrong is told at once. */
export function readClientMetadata(said: unknown, server: Metadata, method = "client_secret_basic"): ClientMetadata {
  if (typeof said !== "object" || said === null || Array.isArray(said)) throw refuseMetadata(["The metadata must be an object."]);
  if ("software_statement" in said) {
    throw new OAuthError("unapproved_software_statement", "This server trusts nobody's software statements.", { see: section });
  }
  const known = collect((report) => pickKnown(said, report));
  return collect((report) => checkOffered(withDefaults(known, server, method), server, report));
}

/** Puts it as an operator would have written it. */
export function toClientConfig(id: string, metadata: ClientMetadata, secret?: string): ClientConfig {
  const filled = members.filter(({ name, fills }) => fills !== undefined && metadata[name] !== undefined);
  const entries = filled.map(({ name, fills, as }) => [fills, as ? as(metadata[name] as never) : metadata[name]]);
  // Each value has passed the shape of its member, which is narrower than the configuration's.
  return { ...Object.fromEntries(entries), id, secret, rememberConsent: false } as ClientConfig;
}

/** Runs a check, and refuses with all that it reports, each under the name that the client gave it. */
export function collect<T>(check: (report: Report) => T): T {
  const problems: Array<[path: string, problem: string]> = [];
  const result = check((path, problem) => void problems.push([wirePath(path), problem]));
  if (problems.length === 0) return result;
  const isRedirect = problems.some(([path]) => path.startsWith("redirect_uris"));
  throw refuseMetadata(problems.map(([path, problem]) => `'${path}' ${problem}.`), isRedirect);
}

const section = "RFC 7591, section 2";

function refuseMetadata(sentences: readonly string[], isRedirect = false): OAuthError {
  return new OAuthError(isRedirect ? "invalid_redirect_uri" : "invalid_client_metadata", sentences.join(" ").slice(0, 2000), {
    see: section,
  });
}

/** A path of the configuration, `redirectUris[0]`, as the client wrote it: `redirect_uris[0]`. */
function wirePath(path: string): string {
  const [, start, rest] = /^(\w+)(.*)$/.exec(path)!;
  return (members.find(({ fills }) => fills === start)?.name ?? start) + rest;
}

/** A member that is null is not there (RFC 7592, section 2.2). */
function pickKnown(said: object, report: Report): ClientMetadata {
  const given = new Map(Object.entries(said));
  const present = members.filter(({ name }) => (given.get(name) ?? null) !== null);
  for (const { name, shape } of present) shape(given.get(name), name, report);
  return Object.fromEntries(present.map(({ name }) => [name, given.get(name)]));
}

function withDefaults(known: ClientMetadata, server: Metadata, method: string): ClientMetadata {
  const grants = known.grant_types as string[] | undefined ?? ["authorization_code"];
  const idTokenAlgs = server.id_token_signing_alg_values_supported as readonly string[];
  const filled = {
    token_endpoint_auth_method: method,
    grant_types: grants,
    response_types: grants.includes("authorization_code") ? ["code"] : [],
    scope: (server.scopes_supported as readonly string[]).join(" "),
    // OpenID Connect Registration, section 2.
    id_token_signed_response_alg: idTokenAlgs.includes("RS256") ? "RS256" : idTokenAlgs[0],
    ...known,
  };
  return { application_type: isNative(filled) ? "native" : "web", ...filled };
}

/** Many clients on people's machines register a loopback URI and say no more. */
function isNative(
  { token_endpoint_auth_method, redirect_uris = [] }: { token_endpoint_auth_method: string; redirect_uris?: string[] },
): boolean {
  return token_endpoint_auth_method === "none" && redirect_uris.length > 0 && redirect_uris.every(isNativeUri);
}

/** What the server does not tell of, nobody can register for. */
function checkOffered(metadata: ClientMetadata, server: Metadata, report: Report): ClientMetadata {
  for (const { name, among, needs } of members) {
    const value = metadata[name];
    if (among !== undefined && value !== undefined) reportUnlisted(name, [value].flat(), server[among] as readonly string[] ?? [], report);
    if (needs !== undefined && value !== undefined && value !== false && !server[needs]) {
      report(name, "asks for what this server does not do");
    }
  }
  const [grants, types] = [metadata.grant_types, metadata.response_types] as string[][];
  if (grants.includes("authorization_code") !== types.includes("code")) {
    report("response_types", "must hold 'code' where, and only where, the grant_types hold 'authorization_code'");
  }
  if (metadata.jwks && metadata.jwks_uri) report("jwks_uri", "stands beside 'jwks'; one of them is enough");
  return metadata;
}

function reportUnlisted(name: string, values: readonly unknown[], listed: readonly string[], report: Report): void {
  for (const value of values) {
    if (!listed.some((each) => each === value)) {
      report(name, `holds '${value}'; this server has: ${listed.join(", ") || "nothing of the kind"}`);
    }
  }
}
