import { type IncomingRequest, mediaType } from "../../server/http/incoming_request.ts";
import { OAuthError } from "../../server/protocol/oauth_error.ts";
import { isObject, parseJson } from "../../server/util/text/json.ts";

/** The codes of errors (JSON-RPC 2.0, section 5.1; MCP 2026-07-28, section "Error Codes"). */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** The revision whose requests describe themselves, without a handshake. */
const modernVersion = "2026-07-28";

/** The revisions that begin with `initialize`, the newest first. */
export const legacyVersions: readonly string[] = ["2025-11-25", "2025-06-18"];

/** All revisions, the newest first. */
export const supportedVersions: readonly string[] = [modernVersion, ...legacyVersions];

/** The members of `_meta` that a request of the modern revision has. */
export const metaNames = {
  version: "io.modelcontextprotocol/protocolVersion",
  capabilities: "io.modelcontextprotocol/clientCapabilities",
} as const;

/** A request of JSON-RPC, or a notification, which has no id. */
export interface RpcMessage {
  id?: string | number | undefined;
  method: string;
  params: Record<string, unknown>;
}

/** Why a message is refused. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  /** The status of the response. */
  readonly status: number;
  readonly data: unknown;

  constructor(code: number, message: string, status = 400, data?: unknown) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

/** How a client speaks: as revisions with a handshake do, or without one. */
export type ProtocolEra = "legacy" | "modern";

/**
 * Reads a message.
 *
 * @throws {RpcError} The text is not a single request or notification.
 */
export function readMessage(text: string): RpcMessage {
  const value = parseJson(text);
  if (value === undefined) throw new RpcError(rpcCodes.parseError, "The body is not JSON.");
  if (!isObject(value) || value.jsonrpc !== "2.0" || typeof value.method !== "string") {
    throw invalid("The body must be one JSON-RPC request or notification.");
  }
  const { id, method, params = {} } = value;
  if (!isObject(params)) throw invalid("The 'params' must be an object.");
  if (id !== undefined && typeof id !== "string" && !Number.isInteger(id)) {
    throw invalid("The 'id' must be a text or an integer.");
  }
  return { id: id as RpcMessage["id"], method, params };
}

/**
 * Reads the message of an HTTP request.
 *
 * @throws {RpcError} The body is not a single request or notification in JSON.
 */
export async function readRequestMessage(request: IncomingRequest): Promise<RpcMessage> {
  if (mediaType(request.headers) !== "application/json") {
    throw invalid("The body must be application/json.", 415);
  }
  try {
    return readMessage(await request.text());
  } catch (cause) {
    // The body is too large, too slow, or not text.
    throw cause instanceof OAuthError ? invalid(cause.message, cause.status) : cause;
  }
}

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
  if (version === null) {
    const known = supportedVersions.join(", ");
    throw mismatch(
      `The header MCP-Protocol-Version is missing: send the negotiated one, of ${known}.`,
    );
  }
  if (!supportedVersions.includes(version)) throw unsupported(version);
  if (version !== modernVersion && named === undefined) return "legacy";
  if (message.id !== undefined) checkModern(headers, message, version);
  return "modern";
}

function invalid(message: string, status?: number): RpcError {
  return new RpcError(rpcCodes.invalidRequest, message, status);
}

function checkModern(
  headers: IncomingRequest["headers"],
  { method, params }: RpcMessage,
  version: string,
): void {
  const meta = isObject(params._meta) ? params._meta : {};
  const inBody = meta[metaNames.version];
  if (inBody === undefined || !isObject(meta[metaNames.capabilities])) {
    const names = Object.values(metaNames).map((name) => `'${name}'`).join(" and ");
    throw new RpcError(rpcCodes.invalidParams, `The '_meta' of every request needs ${names}.`);
  }
  checkHeader("MCP-Protocol-Version", version, inBody);
  checkHeader("Mcp-Method", headers.get("Mcp-Method"), method);
  const named = namedBy({ method, params });
  if (named === undefined) return;
  checkHeader("Mcp-Name", decodeHeader(headers.get("Mcp-Name")), named);
}

/**
 * Returns what the header `Mcp-Name` repeats of a message (Streamable HTTP, "Standard Headers"), or
 * undefined if there is no such header.
 */
export function namedBy({ method, params }: RpcMessage): unknown {
  switch (method) {
    case "tools/call":
    case "prompts/get":
      return params.name ?? null;
    case "resources/read":
      return params.uri ?? null;
    default:
      return undefined;
  }
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
