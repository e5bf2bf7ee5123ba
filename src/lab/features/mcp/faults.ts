import { resourceMetadataPath } from "../../../resource/resource_metadata.ts";
import { isObject, parseJson } from "../../../server/util/text/json.ts";
import {
  headerOf,
  type WireRequest,
  type WireResponse,
  withHeaderValue,
} from "../../recording/exchange.ts";
import { failureResponse } from "../../responses/failure_response.ts";
import { changePart, jsonAt, type JsonMembers, type ResponsePart } from "../../responses/part.ts";
import { places } from "../../responses/places.ts";
import type { FaultKind } from "../faults/fault.ts";
import { changing, failing, hasMember, withoutMember } from "../faults/fault_kinds.ts";

/** The name of a fault that clients of the Model Context Protocol meet before they have a token. */
export type McpFaultName =
  | `resource_metadata.${
    | "wrong_resource"
    | "two_servers"
    | "without_servers"
    | "only_at_root"
    | "changed_server"}`
  | `metadata.${"only_oauth" | "only_openid" | "without_documents"}`
  | "register.application_type"
  | `mcp.${"unlisted_scope" | "endless_step_up"}`;

/** The authorization server that a changed document names. */
const otherServer = "https://other.example";

/** A scope that the lab knows, and that its MCP server does not list. */
const unlistedScope = "email";

/** How often a client is asked for the same scopes before the server gives in. */
const maxStepUps = 10;

const resource = jsonAt(places.resource_metadata);

const challenge: ResponsePart<string> = {
  appliesTo: places.mcp,
  read: (response) => headerOf(response, "WWW-Authenticate"),
  write: (response, value) => withHeaderValue(response, "WWW-Authenticate", value),
};

/** The faults that clients of the Model Context Protocol meet, by name. */
export const mcpFaults: Record<McpFaultName, FaultKind> = {
  "resource_metadata.wrong_resource": changing(
    resource,
    "The metadata of the MCP server is that of another resource.",
    (body) => ({ ...body, resource: `${otherServer}/mcp` }),
  ),
  "resource_metadata.two_servers": changing(
    resource,
    "The metadata of the MCP server names a second authorization server after the lab.",
    (body) => ({ ...body, authorization_servers: [...serversOf(body), otherServer] }),
  ),
  "resource_metadata.without_servers": changing(
    resource,
    "The metadata of the MCP server names no authorization server.",
    withoutMember("authorization_servers"),
  ),
  "resource_metadata.only_at_root": {
    summary: "The metadata of the MCP server is at the root alone, and no challenge names it.",
    appliesTo: (request) => places.mcp(request) || isBelowPath(request),
    canChange: (response, { server }) =>
      response.status < 300 || challenge.read(response, server) !== undefined,
    change: (response, { request, server }) =>
      places.mcp(request)
        ? changePart(
          challenge,
          server,
          response,
          (text) => text.replaceAll(/, resource_metadata="[^"]*"/g, ""),
        )
        : noMetadata(),
  },
  "resource_metadata.changed_server": changing(
    resource,
    "The metadata of the MCP server names another authorization server from the second request on.",
    (body) => ({ ...body, authorization_servers: [otherServer] }),
    (_body, { fault, memory }) => {
      const isLater = memory.has(fault.id);
      memory.set(fault.id, "met");
      return isLater;
    },
  ),
  "metadata.only_oauth": missingAt(
    "The metadata of the authorization server is at oauth-authorization-server alone.",
    "openid-configuration",
  ),
  "metadata.only_openid": missingAt(
    "The metadata of the authorization server is at openid-configuration alone.",
    "oauth-authorization-server",
  ),
  "metadata.without_documents": changing(
    jsonAt(places.metadata),
    "The metadata does not say that metadata documents of clients are supported.",
    withoutMember("client_id_metadata_document_supported"),
    hasMember("client_id_metadata_document_supported"),
  ),
  "register.application_type": failing(
    (request) => places.register(request) && registersWebOnLoopback(request),
    "Registration refuses redirect URIs on this machine unless application_type is native.",
    400,
    "invalid_redirect_uri",
    "A client with the application_type 'web' cannot have redirect URIs on this machine.",
  ),
  "mcp.unlisted_scope": changing(
    challenge,
    `The challenge asks for the scope '${unlistedScope}', which scopes_supported does not list.`,
    (text) => text.replaceAll(/scope="([^"]*)"/g, `scope="$1 ${unlistedScope}"`),
    (text) => text.includes('scope="'),
  ),
  "mcp.endless_step_up": {
    summary:
      `Each call of a tool is refused with insufficient_scope, ${maxStepUps} times, for any scope.`,
    appliesTo: (request) => places.mcp(request) && calledTool(request) !== undefined,
    canChange: ({ status }, { fault: { id }, memory }) =>
      status < 300 && Number(memory.get(id) ?? 0) < maxStepUps,
    change(_response, { request, fault: { id }, memory }) {
      memory.set(id, `${Number(memory.get(id) ?? 0) + 1}`);
      return insufficientScope(request);
    },
  },
};

function serversOf({ authorization_servers: servers }: JsonMembers): unknown[] {
  return Array.isArray(servers) ? servers : [];
}

/** Whether a request is for metadata at the path that the path of the resource is part of. */
function isBelowPath(request: WireRequest): boolean {
  return places.resource_metadata(request) && request.path !== resourceMetadataPath;
}

function noMetadata(): WireResponse {
  return failureResponse(404, "not_found", "There is no metadata here.");
}

/** Creates a fault that leaves metadata out at the places with a name. */
function missingAt(summary: string, name: string): FaultKind {
  return {
    summary,
    appliesTo: (request) => places.metadata(request) && request.path.includes(name),
    respond: async () => noMetadata(),
  };
}

function registersWebOnLoopback({ body }: WireRequest): boolean {
  const { application_type, redirect_uris } = membersOf(body);
  const uris = Array.isArray(redirect_uris) ? redirect_uris.map(String) : [];
  return application_type !== "native" &&
    uris.some((uri) => /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(uri));
}

function calledTool({ body }: WireRequest): string | undefined {
  const { method, params } = membersOf(body);
  return method === "tools/call" && isObject(params) ? String(params.name) : undefined;
}

function membersOf(body: string): JsonMembers {
  const value = parseJson(body);
  return isObject(value) ? value : {};
}

/** Refuses a call as if its token had too little scope (RFC 6750, section 3.1). */
function insufficientScope({ url }: WireRequest): WireResponse {
  const { origin, pathname } = new URL(url);
  const metadata = `${origin}${resourceMetadataPath}${pathname}`;
  const text = `Bearer error="insufficient_scope", scope="write", resource_metadata="${metadata}"`;
  return failureResponse(403, "insufficient_scope", "The token does not have the scope 'write'.", [
    ["WWW-Authenticate", text],
  ]);
}
