import { protectedResource } from "../../../resource/protected_resource.ts";
import {
  metadataResponse,
  metadataUrl,
  resourceMetadataPath,
} from "../../../resource/resource_metadata.ts";
import { allowScripts, preflightResponse } from "../../../server/http/cors.ts";
import type { IncomingRequest } from "../../../server/http/incoming_request.ts";
import { type ResponseData, toResponseData } from "../../../server/http/response_data.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { findActiveToken } from "../../../server/issuer/tokens/active_tokens.ts";
import { createBoundedMap } from "../../../server/util/values/bounded_map.ts";
import { mcpPath } from "../../responses/places.ts";
import { foreignResponse, type McpEndpoint, respondToMcp } from "./mcp_endpoint.ts";
import { scopesOf, type Toolset } from "./mcp_tool.ts";
import { mcpUrl } from "./util/mcp_place.ts";

/** What the MCP server of a lab needs to know about it. */
export interface McpServerParts {
  /** Returns the context of the current server, whose tokens are accepted. */
  context: () => Context;
  /** Returns the current tools: the same object until they change. */
  toolset: () => Toolset;
  now: () => number;
  /** Returns why a request may not use the lab, by its `Host` and `Origin`. */
  findProblem: (request: IncomingRequest) => Promise<string | undefined>;
}

/** Responds to requests for `/mcp` and its metadata; returns undefined for any other. */
export type RespondAsMcp = (
  request: IncomingRequest,
  path: string,
) => Promise<ResponseData | undefined>;

export function createMcpServer(around: McpServerParts): RespondAsMcp {
  const findEndpoint = rememberEndpoints(around);
  return async (request, path) => {
    const requested = new URL(request.url);
    const url = mcpUrl(requested, around.context().settings.addresses);
    const endpoint = findEndpoint(url);
    if (path === mcpPath) {
      const problem = await around.findProblem(request);
      return problem === undefined
        ? await respondToScripts(endpoint, request)
        : foreignResponse(problem);
    }
    const address = metadataUrl(url);
    // Clients look below the path of the server first, and then at the root (RFC 9728, section 3.1).
    const isMetadata = path === resourceMetadataPath ||
      requested.pathname === new URL(address).pathname;
    if (!isMetadata) return undefined;
    const { method, headers } = request;
    const asked = new Request(address, { method, headers: [...headers] });
    const response = metadataResponse(asked, endpoint.resource.metadata);
    return response && toResponseData(response);
  };
}

/** Pages that the guard admits may read the responses: a client can run in a browser. */
async function respondToScripts(
  endpoint: McpEndpoint,
  request: IncomingRequest,
): Promise<ResponseData> {
  if (request.method === "OPTIONS") return preflightResponse(request.headers, ["POST"]);
  return allowScripts(await respondToMcp(endpoint, request));
}

/** Any name below `localhost` is one of the lab, so a web page can ask by any number of names. */
const maxEndpoints = 100;

/** A resource remembers the proofs that clients used, so it lives as long as the server. */
function rememberEndpoints(around: McpServerParts): (url: string) => McpEndpoint {
  const createEndpoints = () => createBoundedMap<McpEndpoint>(maxEndpoints, () => 1);
  let endpoints = createEndpoints();
  let [context, toolset] = [around.context(), around.toolset()];
  return (url) => {
    if (context !== around.context() || toolset !== around.toolset()) {
      endpoints = createEndpoints();
      [context, toolset] = [around.context(), around.toolset()];
    }
    const known = endpoints.get(url) ?? createEndpoint(around, url);
    endpoints.set(url, known);
    return known;
  };
}

function createEndpoint({ context, toolset, now }: McpServerParts, url: string): McpEndpoint {
  const { settings: { issuer } } = context();
  const { tools, initialScope } = toolset();
  const scopes = scopesOf(toolset());
  const resource = protectedResource({
    resource: url,
    name: "Hallpass lab",
    authorizationServers: [{ issuer, introspection: inProcess }],
    initialScope,
    ...scopes.length > 0 && { scopes },
    now,
    // The server is in this process: a request to it would show up among those of the clients.
    fetch: async (_, { body }) => await describeToken(context(), body),
  });
  return { resource, tools };
}

/** What introspection needs, which no server gets to see. */
const inProcess = { clientId: "mcp", clientSecret: "in-process", endpoint: "in-process:" };

/** Returns what introspection does (RFC 7662), so that revoked and opaque tokens are recognized. */
async function describeToken(ctx: Context, form: string | undefined): Promise<Response> {
  const token = new URLSearchParams(form).get("token") ?? "";
  const found = await findActiveToken(ctx, token);
  const isAccess = found?.kind === "access";
  return Response.json(isAccess ? { ...found.claims, active: true } : { active: false });
}
