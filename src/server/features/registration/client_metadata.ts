import type { ReportProblem } from "../../config/problems.ts";
import { checkValue } from "../../config/schema.ts";
import type { Offer } from "../../config/settings.ts";
import type { ClientMetadata } from "../../model/client.ts";
import type { CoreClientConfig } from "../../model/client_config.ts";
import { openIdMembers, type ServerMetadata } from "../../model/server_metadata.ts";
import { isNativeUri } from "../../protocol/redirect_uri.ts";
import { type ApplyRule, requirePresent } from "../../protocol/rule.ts";
import { isObject } from "../../util/text/json.ts";
import { members, type MetadataMember, typedMembers } from "./client_metadata_members.ts";
import { type MetadataProblem, registrationRules } from "./client_metadata_rules.ts";

const defaultEnc = "A128CBC-HS256";

/**
 * Reads the metadata of a client, with the server's defaults. Throws an error that lists every
 * problem: no feature sees a value of another type than it declares.
 */
export function readClientMetadata(
  apply: ApplyRule,
  value: unknown,
  offer: Offer,
  server: ServerMetadata,
  defaultMethod = "client_secret_basic",
): ClientMetadata {
  const sent = requirePresent(apply, registrationRules.object, isObject(value) ? value : undefined);
  apply(registrationRules.software_statement, sent);
  const understood = collect(
    apply,
    (report) => pickUnderstood(sent, typedMembers(offer), server, report),
  );
  const metadata = withDefaults(understood, server, defaultMethod);
  collect(apply, (report) => checkSupported(metadata, server, report));
  return metadata;
}

/** Converts metadata to the settings that an operator would have written. */
export function toClientConfig(
  id: string,
  metadata: ClientMetadata,
  secret?: string,
): CoreClientConfig {
  const settings = members
    .filter(({ name, setting }) => setting !== undefined && metadata[name] !== undefined)
    .map(({ name, setting, convert }) => {
      const value = metadata[name];
      // Each value agrees with the schema of its member, which is narrower than the setting's.
      return [setting, convert ? convert(value as never) : value];
    });
  return { ...Object.fromEntries(settings), id, secret } as CoreClientConfig;
}

/** Runs a check. Throws an error with all that it reports, under the names that the client used. */
export function collect<T>(apply: ApplyRule, check: (report: ReportProblem) => T): T {
  const problems: MetadataProblem[] = [];
  const result = check((path, problem) => void problems.push({ path: wirePath(path), problem }));
  apply(registrationRules.redirect_uris, problems);
  apply(registrationRules.metadata, problems);
  return result;
}

/**
 * Converts a path of the settings, `redirectUris[0]`, to what the client wrote: `redirect_uris[0]`.
 */
function wirePath(path: string): string {
  // The rest contains names that the client chose: any character at all, line breaks included.
  const [start = ""] = path.split(/[.[]/, 1);
  const member = members.find(({ setting }) => setting === start);
  return (member?.name ?? start) + path.slice(start.length);
}

/** Returns the members that the server understands, without those that are left out. */
function pickUnderstood(
  value: Record<string, unknown>,
  typed: readonly MetadataMember[],
  server: ServerMetadata,
  report: ReportProblem,
): ClientMetadata {
  const given = new Map(Object.entries(value));
  const present = typed.filter((member) =>
    isGiven(member, given.get(member.name)) && isUnderstood(member, server)
  );
  for (const { name, schema } of present) checkValue(schema, given.get(name), name, report);
  return Object.fromEntries(present.map(({ name }) => [name, given.get(name)]));
}

/**
 * Whether a member has a value. Null means none (RFC 7592, section 2.2). Some libraries send empty
 * names and URLs; an empty scope is a value, and refused.
 */
function isGiven({ schema }: MetadataMember, value: unknown): boolean {
  if (value === "") return schema.type !== "string" || schema.format === undefined;
  return value !== undefined && value !== null;
}

/**
 * Whether the server understands a member. Without OpenID Connect, it ignores the members of that,
 * as all others that it does not understand (RFC 7591, section 2).
 */
function isUnderstood({ among, needs }: MetadataMember, server: ServerMetadata): boolean {
  return [among, needs].every((name) =>
    name === undefined || !openIdMembers.has(name) || server[name] !== undefined
  );
}

function withDefaults(
  metadata: ClientMetadata,
  server: ServerMetadata,
  defaultMethod: string,
): ClientMetadata {
  const grantTypes = listIn(metadata, "grant_types") ?? ["authorization_code"];
  const filled = {
    token_endpoint_auth_method: defaultMethod,
    grant_types: grantTypes,
    response_types: grantTypes.includes("authorization_code") ? ["code"] : [],
    // Every scope: most clients register none, and ask for `openid profile` later, which a default
    // scope would refuse. What is registered must be in the response (RFC 7591, section 3.2.1).
    scope: textsIn(server, "scopes_supported").join(" "),
    ...defaultIdTokenAlg(server),
    ...metadata,
  };
  return withoutIdle({
    application_type: isNative(filled) ? "native" : "web",
    ...filled,
    ...defaultContentEncryption(filled, server),
  });
}

/** Drops the members that have no meaning together with the others. */
function withoutIdle(metadata: ClientMetadata): ClientMetadata {
  const idle = members.filter(({ applies }) => applies && !applies(metadata));
  const names = new Set(idle.map(({ name }) => name));
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !names.has(name)));
}

/** The default is RS256 (OpenID Connect Registration, section 2), unless the profile forbids it. */
function defaultIdTokenAlg(server: ServerMetadata): ClientMetadata {
  const name = "id_token_signing_alg_values_supported";
  if (server[name] === undefined) return {};
  const algs = textsIn(server, name);
  return { id_token_signed_response_alg: algs.includes("RS256") ? "RS256" : algs[0] };
}

/**
 * Returns the `enc` that an `alg` without one means (OpenID Connect Registration, section 2; JARM,
 * section 3; RFC 9701, section 6), as far as the server offers it.
 */
function defaultContentEncryption(metadata: ClientMetadata, server: ServerMetadata) {
  const unnamed = members.filter(({ name, among = "" }) =>
    name.endsWith("_enc") && metadata[name] === undefined &&
    metadata[name.replace(/enc$/, "alg")] !== undefined &&
    textsIn(server, among).includes(defaultEnc)
  );
  return Object.fromEntries(unnamed.map(({ name }) => [name, defaultEnc]));
}

/** Many clients on users' machines register a loopback URI and no `application_type`. */
function isNative(metadata: ClientMetadata): boolean {
  const uris = textsIn(metadata, "redirect_uris");
  return metadata.token_endpoint_auth_method === "none" && uris.length > 0 &&
    uris.every(isNativeUri);
}

/** Reports what the server's metadata does not offer. */
function checkSupported(
  metadata: ClientMetadata,
  server: ServerMetadata,
  report: ReportProblem,
): void {
  for (const { name, among, needs } of members) {
    const value = metadata[name];
    if (value === undefined) continue;
    if (among !== undefined) reportUnsupported(name, value, textsIn(server, among), report);
    if (needs !== undefined && value !== false && !server[needs]) {
      report(name, "asks for something that this server does not support");
    }
  }
  const usesCodes = textsIn(metadata, "grant_types").includes("authorization_code");
  if (usesCodes !== textsIn(metadata, "response_types").includes("code")) {
    report(
      "response_types",
      "must contain 'code' if, and only if, the grant_types contain 'authorization_code'",
    );
  }
}

function reportUnsupported(
  name: string,
  value: unknown,
  supported: readonly unknown[],
  report: ReportProblem,
): void {
  const verb = Array.isArray(value) ? "contains" : "is";
  const allowed = supported.join(", ") || "none";
  for (const each of [value].flat()) {
    if (!supported.includes(each)) report(name, `${verb} '${each}'; allowed here: ${allowed}`);
  }
}

/** Returns the list in a member that agrees with its schema, or undefined. */
function listIn(metadata: ClientMetadata, name: string): string[] | undefined {
  const value = metadata[name];
  return Array.isArray(value) ? value : undefined;
}

function textsIn(metadata: ClientMetadata, name: string): string[] {
  return listIn(metadata, name) ?? [];
}
