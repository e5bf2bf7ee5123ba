import { resourceMetadataPath } from "../../resource/resource_metadata.ts";
import { type McpFaultPlace, mcpPlaces } from "../features/mcp/responses.ts";
import type { WireRequest } from "../recording/exchange.ts";

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
  | "metadata"
  | "jwks"
  | McpFaultPlace;

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
  metadata: (request) =>
    request.endpoint === undefined && request.path.includes("/.well-known/") &&
    !request.path.startsWith(resourceMetadataPath),
  jwks: ({ endpoint }) => endpoint === "jwks",
  ...mcpPlaces,
};

/** Whether the response to a request may be an authorization response. */
export function mayCallBack({ endpoint }: WireRequest): boolean {
  return endpoint === "authorize" || endpoint === "interaction";
}

/** Whether a request refreshes tokens. */
export function isRefresh(request: WireRequest): boolean {
  return places.token(request) && request.form.get("grant_type") === "refresh_token";
}
