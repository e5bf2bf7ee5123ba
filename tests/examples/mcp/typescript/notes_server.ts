/** An MCP server whose tools need access tokens, with the official SDK and `hallpass/resource`. */
import {
  createMcpHandler,
  fromJsonSchema,
  McpServer,
  originValidationResponse,
  requireScopes,
} from "@modelcontextprotocol/server";
import { type OutboundFetch, protectedResource, type VerifiedAccess } from "hallpass/resource";

export interface NotesServerOptions {
  /** The URL of this server, which clients name as the resource of their tokens. */
  url: string;
  /** The authorization server: a lab in tests, `hallpass serve` in use. */
  issuer: string;
  /** Fetches its metadata and keys. */
  fetch?: OutboundFetch;
  /** Returns the time in milliseconds. */
  now?: () => number;
}

const notes = ["Buy milk"];

/** Creates the server, as a function of web-standard requests. */
export function createNotesServer({ url, issuer, ...options }: NotesServerOptions) {
  const resource = protectedResource({
    resource: url,
    authorizationServers: [issuer],
    name: "Notes",
    scopes: ["read", "write"],
    initialScope: ["read"],
    metadataAtRoot: true,
    ...options,
  });
  const mcp = createMcpHandler(createTools);

  return async (request: Request): Promise<Response> => {
    const metadata = resource.handle(request);
    if (metadata) return metadata;
    // Against DNS rebinding: a web page of another site must not reach this server.
    const foreign = originValidationResponse(request, [new URL(url).hostname]);
    if (foreign) return foreign;
    const access = await resource.require(request);
    if (access instanceof Response) return access;
    return await mcp.fetch(request, { authInfo: toAuthInfo(access, resource.metadataUrl) });
  };
}

/** Says who calls, in the words of the SDK, which checks the scopes of each tool. */
function toAuthInfo({ token, clientId, subject, scope, claims }: VerifiedAccess, metadata: string) {
  return {
    token,
    clientId: clientId ?? "",
    scopes: scope,
    expiresAt: claims.exp,
    resourceMetadataUrl: metadata,
    extra: { subject },
  };
}

function createTools(): McpServer {
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  const needs = (scope: string) => ({ scopeChallenge: requireScopes(scope) });
  const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });

  server.registerTool("whoami", {}, ({ http }) => text(`${http?.authInfo?.extra?.subject}`));
  server.registerTool("read_notes", needs("read"), () => text(notes.join("\n")));
  server.registerTool("write_note", { ...needs("write"), inputSchema: note }, ({ note }) => {
    notes.push(note);
    return text("Saved.");
  });
  return server;
}

const note = fromJsonSchema<{ note: string }>({
  type: "object",
  properties: { note: { type: "string", maxLength: 1000 } },
  required: ["note"],
});
