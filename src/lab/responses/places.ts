import { resourceMetadataPath } from "../../resource/resource_metadata.ts";
import type { WireRequest } from "../recording/exchange.ts";

/** The path of the MCP server of a lab, below the issuer. */
export const mcpPath = "/mcp";

/** An endpoint that can misbehave, by a short name. */
export type FaultPlace =
  | "authorize"
  | "token"
  | "userinfo"
  | "introspect"
  | "revoke"
  | "register"
  | "par"
  | "device"
  | "ciba"
  | "metadata"
  | "jwks"
  | McpFaultPlace;

/** What a client of the Model Context Protocol asks before it has a token. */
export type McpFaultPlace = "mcp" | "resource_metadata";

/** Whether a request goes to an endpoint. */
export const places: Readonly<Record<FaultPlace, (request: WireRequest) => boolean>> = {
  authorize: ({ endpoint }) => endpoint === "authorize",
  token: ({ endpoint }) => endpoint === "token",
  userinfo: ({ endpoint }) => endpoint === "userinfo",
  introspect: ({ endpoint }) => endpoint === "introspect",
  revoke: ({ endpoint }) => endpoint === "revoke",
  register: ({ endpoint }) => endpoint === "register",
  par: ({ endpoint }) => endpoint === "par",
  device: ({ endpoint }) => endpoint === "deviceAuthorization",
  ciba: ({ endpoint }) => endpoint === "backchannelAuthentication",
  metadata: (request) =>
    request.endpoint === undefined && request.path.includes("/.well-known/") &&
    !request.path.startsWith(resourceMetadataPath),
  jwks: ({ endpoint }) => endpoint === "jwks",
  mcp: ({ path, endpoint }) => endpoint === undefined && path === mcpPath,
  resource_metadata: ({ path, endpoint }) =>
    endpoint === undefined && path.startsWith(resourceMetadataPath),
};

/** Whether the response to a request may be an authorization response. */
export function mayCallBack({ endpoint }: WireRequest): boolean {
  return endpoint === "authorize" || endpoint === "interaction";
}

export function isRefresh(request: WireRequest): boolean {
  return places.token(request) && request.form.get("grant_type") === "refresh_token";
}
