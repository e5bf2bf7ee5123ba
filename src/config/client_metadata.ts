import type { ClientMetadata } from "../model/client.ts";
import type { ClientConfig } from "../model/client_config.ts";
import { openIdMembers, type ServerMetadata } from "../model/server_metadata.ts";
import type { AllowedAccess } from "../protocol/client_allowances.ts";
import { errorFactory, OAuthError } from "../protocol/oauth_error.ts";
import { isNativeUri } from "../protocol/redirect_uri.ts";
import { isObject } from "../util/json.ts";
import { members, type MetadataMember } from "./client_metadata_members.ts";
import type { ReportProblem } from "./shape.ts";

const section = "RFC 7591, section 2";
const unapprovedSoftwareStatement = errorFactory("unapproved_software_statement", section);

/** Takes what a client says for what it means to this server, defaults filled in; everything that is wrong is told at once. */
export function readClientMetadata(
  said: unknown,
  server: ServerMetadata,
  method = "client_secret_basic",
): ClientMetadata {
  if (!isObject(said)) throw invalidMetadata(["The metadata must be an object."]);
  if ("software_statement" in said) {
    throw unapprovedSoftwareStatement("This server trusts nobody's software statements.");
  }
  const known = collect((report) => pickKnown(said, server, report));
  return collect((report) => checkOffered(withDefaults(known, server, method), server, report));
}

/** The metadata of the server as far as clients of one trust level may choose from it. */
export function metadataFor(
  server: ServerMetadata,
  { scopes, authorizationDetailsTypes }: AllowedAccess,
  grantTypes: readonly string[],
): ServerMetadata {
  return {
    ...server,
    scopes_supported: scopes,
    grant_types_supported: grantTypes,
    authorization_details_types_supported: authorizationDetailsTypes,
  };
}

/** Leaves out what this server does not have: a document is written for every server, and a client finds out here what it gets. */
export function narrowMetadata(said: ClientMetadata, server: ServerMetadata): ClientMetadata {
  const lists = members.filter(({ name, among }) =>
    among !== undefined && Array.isArray(said[name])
  );
  const absent = members.filter(({ needs }) => needs !== undefined && !server[needs]);
  return {
    ...said,
    ...Object.fromEntries(
      lists.map(({ name, among }) => [name, overlap(said[name], server[among!])]),
    ),
    ...Object.fromEntries(absent.map(({ name }) => [name, undefined])),
    token_endpoint_auth_method: said.token_endpoint_auth_method ?? methodOf(said, server),
    grant_types: overlap(said.grant_types, server.grant_types_supported),
    scope: typeof said.scope === "string"
      ? overlap(said.scope.split(" "), server.scopes_supported).join(" ")
      : said.scope,
  };
}

/** Puts it as an operator would have written it. */
export function toClientConfig(
  id: string,
  metadata: ClientMetadata,
  secret?: string,
): ClientConfig {
  const filled = members.filter(({ name, fills }) =>
    fills !== undefined && metadata[name] !== undefined
  );
  const entries = filled.map((
    { name, fills, as },
  ) => [fills, as ? as(metadata[name] as never) : metadata[name]]);
  // Each value has passed the shape of its member, which is narrower than the configuration's.
  return { ...Object.fromEntries(entries), id, secret } as ClientConfig;
}

/** Runs a check, and refuses with all that it reports, each under the name that the client gave it. */
export function collect<T>(check: (report: ReportProblem) => T): T {
  const problems: Array<[path: string, problem: string]> = [];
  const result = check((path, problem) => void problems.push([wirePath(path), problem]));
  if (problems.length === 0) return result;
  const isRedirect = problems.some(([path]) => path.startsWith("redirect_uris"));
  throw invalidMetadata(problems.map(([path, problem]) => `'${path}' ${problem}.`), isRedirect);
}

function invalidMetadata(sentences: readonly string[], isRedirect = false): OAuthError {
  return new OAuthError(
    isRedirect ? "invalid_redirect_uri" : "invalid_client_metadata",
    sentences.join(" ").slice(0, 2000),
    {
      see: section,
    },
  );
}

/** A path of the configuration, `redirectUris[0]`, as the client wrote it: `redirect_uris[0]`. */
function wirePath(path: string): string {
  // The rest holds names that the client chose: any character at all, line breaks among them.
  const [start] = path.split(/[.[]/, 1);
  return (members.find(({ fills }) => fills === start)?.name ?? start) + path.slice(start.length);
}

/** A member that is null is not there (RFC 7592, section 2.2). */
function pickKnown(said: object, server: ServerMetadata, report: ReportProblem): ClientMetadata {
  const given = new Map(Object.entries(said));
  const present = members.filter((member) =>
    (given.get(member.name) ?? null) !== null && isUnderstood(member, server)
  );
  for (const { name, shape } of present) shape(given.get(name), name, report);
  return Object.fromEntries(present.map(({ name }) => [name, given.get(name)]));
}

/**
 * A server that speaks no OpenID Connect ignores its members, as any that it does not understand
 * (RFC 7591, section 2).
 */
function isUnderstood({ among, needs }: MetadataMember, server: ServerMetadata): boolean {
  return [among, needs].every((name) =>
    name === undefined || !openIdMembers.has(name) || server[name] !== undefined
  );
}

/** A document may list the ways in which its client can authenticate, the best one first (OpenID Connect RP Metadata Choices, section 2). */
function methodOf(
  { token_endpoint_auth_methods_supported: methods }: ClientMetadata,
  server: ServerMetadata,
): unknown {
  const ours = (server.token_endpoint_auth_methods_supported as readonly string[]).filter((
    method,
  ) => !method.startsWith("client_secret"));
  return Array.isArray(methods) ? methods.find((method) => ours.includes(method)) : undefined;
}

/** What both have; or what was said, if that is nothing, so that it is refused. */
function overlap<T>(said: T, listed: unknown): T {
  if (!Array.isArray(said) || !Array.isArray(listed)) return said;
  const both = said.filter((each) => listed.includes(each));
  return both.length > 0 ? both as T : said;
}

function withDefaults(
  known: ClientMetadata,
  server: ServerMetadata,
  method: string,
): ClientMetadata {
  const grants = known.grant_types as string[] | undefined ?? ["authorization_code"];
  const idTokenAlgs = server.id_token_signing_alg_values_supported as readonly string[] | undefined;
  const filled = {
    token_endpoint_auth_method: method,
    grant_types: grants,
    response_types: grants.includes("authorization_code") ? ["code"] : [],
    scope: (server.scopes_supported as readonly string[]).join(" "),
    // OpenID Connect Registration, section 2.
    ...idTokenAlgs &&
      { id_token_signed_response_alg: idTokenAlgs.includes("RS256") ? "RS256" : idTokenAlgs[0] },
    ...known,
  };
  return { application_type: isNative(filled) ? "native" : "web", ...filled };
}

/** Many clients on people's machines register a loopback URI and say no more. */
function isNative(
  { token_endpoint_auth_method, redirect_uris = [] }: {
    token_endpoint_auth_method: string;
    redirect_uris?: string[];
  },
): boolean {
  return token_endpoint_auth_method === "none" && redirect_uris.length > 0 &&
    redirect_uris.every(isNativeUri);
}

/** What the server does not tell of, nobody can register for. */
function checkOffered(
  metadata: ClientMetadata,
  server: ServerMetadata,
  report: ReportProblem,
): ClientMetadata {
  for (const { name, among, needs } of members) {
    const value = metadata[name];
    if (among !== undefined && value !== undefined) {
      reportUnlisted(name, [value].flat(), server[among] as readonly string[] ?? [], report);
    }
    if (needs !== undefined && value !== undefined && value !== false && !server[needs]) {
      report(name, "asks for what this server does not do");
    }
  }
  const [grants, types] = [metadata.grant_types, metadata.response_types] as string[][];
  if (grants.includes("authorization_code") !== types.includes("code")) {
    report(
      "response_types",
      "must hold 'code' where, and only where, the grant_types hold 'authorization_code'",
    );
  }
  return metadata;
}

function reportUnlisted(
  name: string,
  values: readonly unknown[],
  listed: readonly string[],
  report: ReportProblem,
): void {
  for (const value of values) {
    if (!listed.some((each) => each === value)) {
      report(name, `holds '${value}'; allowed here: ${listed.join(", ") || "nothing of the kind"}`);
    }
  }
}
