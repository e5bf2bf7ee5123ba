import type { ClientMetadata } from "../../model/client.ts";
import type { ServerMetadata } from "../../model/server_metadata.ts";
import { members } from "../registration/client_metadata_members.ts";

/**
 * Leaves out what this server does not support. A metadata document is written for every server,
 * and the client learns here what it gets. What the document requires of a server stays.
 */
export function narrowMetadata(metadata: ClientMetadata, server: ServerMetadata): ClientMetadata {
  const narrowed: Record<string, unknown> = { ...metadata };
  for (const { name, among } of members) {
    if (among !== undefined) narrowed[name] = narrowList(metadata[name], server[among]);
  }
  const { scope } = metadata;
  return {
    ...narrowed,
    token_endpoint_auth_method: metadata.token_endpoint_auth_method ??
      findMethod(metadata, server),
    grant_types: narrowList(metadata.grant_types, server.grant_types_supported),
    scope: typeof scope === "string"
      ? narrowList(scope.split(" "), server.scopes_supported).join(" ")
      : scope,
  };
}

/**
 * Finds how the client of a document can authenticate here. The document may list methods, the best
 * one first (OpenID Connect RP Metadata Choices, section 2).
 */
function findMethod(metadata: ClientMetadata, server: ServerMetadata): unknown {
  const { token_endpoint_auth_methods_supported: methods } = metadata;
  const { token_endpoint_auth_methods_supported: supported } = server;
  if (!Array.isArray(methods) || !Array.isArray(supported)) return undefined;
  return methods.find((method) =>
    supported.includes(method) && !String(method).startsWith("client_secret")
  );
}

/**
 * Keeps the entries that are supported. If none is, it keeps all, so that they are refused later.
 */
function narrowList<T>(value: T, supported: unknown): T {
  if (!Array.isArray(value) || !Array.isArray(supported)) return value;
  const common = value.filter((entry) => supported.includes(entry));
  return common.length > 0 ? common as T : value;
}
