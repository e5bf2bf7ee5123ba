import type { IncomingRequest } from "../../../server/http/incoming_request.ts";
import { isObject } from "../../../server/util/text/json.ts";
import { rpcCodes, RpcError, type RpcMessage } from "./json_rpc.ts";

/** The revision whose requests describe themselves, without a handshake. */
export const modernVersion = "2026-07-28";

/** The revisions that begin with `initialize`, the newest first. */
export const legacyVersions: readonly string[] = ["2025-11-25", "2025-06-18"];

/** All revisions, the newest first. */
export const supportedVersions: readonly string[] = [modernVersion, ...legacyVersions];

/** The members of `_meta` that a request of the modern revision has. */
const metaNames = {
  version: "io.modelcontextprotocol/protocolVersion",
  capabilities: "io.modelcontextprotocol/clientCapabilities",
} as const;

/** How a client speaks: as revisions with a handshake do, or without one. */
export type ProtocolEra = "legacy" | "modern";

/**
 * Returns how the client of a message speaks (MCP 2026-07-28, Versioning).
 *
 * @throws {RpcError} The revision is unknown, or the headers do not say what the body says.
 */
export function eraOf({ headers }: IncomingRequest, message: RpcMessage): ProtocolEra {
  const meta = isObject(message.params._meta) ? message.params._meta : {};
  const named = meta[metaNames.version];
  // A handshake settles the revision, so its request has no header yet.
  if (message.method === "initialize" && named === undefined) return "legacy";
  const version = headers.get("MCP-Protocol-Version");
  if (version === null) throw mismatch("The header MCP-Protocol-Version is missing.");
  if (!supportedVersions.includes(version)) throw unsupported(version);
  if (version !== modernVersion && named === undefined) return "legacy";
  if (message.id !== undefined) checkModern(headers, message, version);
  return "modern";
}

function checkModern(
  headers: IncomingRequest["headers"],
  { method, params }: RpcMessage,
  version: string,
): void {
  const meta = isObject(params._meta) ? params._meta : {};
  const named = meta[metaNames.version];
  if (named === undefined || !isObject(meta[metaNames.capabilities])) {
    const names = Object.values(metaNames).map((name) => `'${name}'`).join(" and ");
    throw new RpcError(rpcCodes.invalidParams, `The '_meta' of every request needs ${names}.`);
  }
  checkHeader("MCP-Protocol-Version", version, named);
  checkHeader("Mcp-Method", headers.get("Mcp-Method"), method);
  if (method !== "tools/call") return;
  checkHeader("Mcp-Name", decodeHeader(headers.get("Mcp-Name")), params.name);
}

function checkHeader(name: string, value: string | null, inBody: unknown): void {
  if (value === null) throw mismatch(`The header ${name} is missing.`);
  if (value === inBody) return;
  throw mismatch(`The header ${name} is '${value}', but the body has '${String(inBody)}'.`);
}

/** Decodes a value that no header could hold as it is (Streamable HTTP, "Value Encoding"). */
function decodeHeader(value: string | null): string | null {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value ?? "") ?? [];
  if (encoded === undefined) return value;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(
      Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)),
    );
  } catch {
    throw mismatch("The header Mcp-Name is not valid Base64 of UTF-8.");
  }
}

function mismatch(message: string): RpcError {
  return new RpcError(rpcCodes.headerMismatch, message);
}

function unsupported(requested: string): RpcError {
  const data = { supported: supportedVersions, requested };
  return new RpcError(rpcCodes.unsupportedVersion, "Unsupported protocol version", 400, data);
}
