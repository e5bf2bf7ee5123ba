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
  const given = new Map(Object.entries(sent));
  const understood = typedMembers(offer).filter((member) =>
    isGiven(member, given.get(member.name)) && isUnderstood(member, server)
  );
  collect(apply, (report) => {
    for (const { name, schema } of understood) checkValue(schema, given.get(name), name, report);
  });
  const known = Object.fromEntries(understood.map(({ name }) => [name, given.get(name)]));
  const metadata = withDefaults(known, server, defaultMethod);
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
export function collect(apply: ApplyRule, check: (report: ReportProblem) => void): void {
  const problems: MetadataProblem[] = [];
  check((path, problem) => {
    // A path of the settings, `redirectUris[0]`, becomes what the client wrote: `redirect_uris[0]`.
    // The rest contains names that the client chose: any character at all, line breaks included.
    const [start = ""] = path.split(/[.[]/, 1);
    const member = members.find(({ setting }) => setting === start);
    problems.push({ path: (member?.name ?? start) + path.slice(start.length), problem });
  });
  apply(registrationRules.redirect_uris, problems);
  apply(registrationRules.metadata, problems);
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
  // Many clients on users' machines register a loopback URI and no `application_type`.
  const uris = textsIn(filled, "redirect_uris");
  const isNative = filled.token_endpoint_auth_method === "none" && uris.length > 0 &&
    uris.every(isNativeUri);
  const all: ClientMetadata = {
    application_type: isNative ? "native" : "web",
    ...filled,
    ...defaultContentEncryption(filled, server),
  };
  // Some members have no meaning together with the others.
  const idle = members.filter(({ applies }) => applies && !applies(all)).map(({ name }) => name);
  return Object.fromEntries(Object.entries(all).filter(([name]) => !idle.includes(name)));
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

/** Reports what the server's metadata does not offer. */
function checkSupported(
  metadata: ClientMetadata,
  server: ServerMetadata,
  report: ReportProblem,
): void {
  for (const { name, among, needs } of members) {
    const value = metadata[name];
    if (value === undefined) continue;
    if (among !== undefined) {
      const supported: readonly unknown[] = textsIn(server, among);
      const verb = Array.isArray(value) ? "contains" : "is";
      const allowed = supported.join(", ") || "none";
      for (const each of [value].flat().filter((each) => !supported.includes(each))) {
        report(name, `${verb} '${each}'; allowed here: ${allowed}`);
      }
    }
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

/** Returns the list in a member that agrees with its schema, or undefined. */
function listIn(metadata: ClientMetadata, name: string): string[] | undefined {
  const value = metadata[name];
  return Array.isArray(value) ? value : undefined;
}

function textsIn(metadata: ClientMetadata, name: string): string[] {
  return listIn(metadata, name) ?? [];
}
