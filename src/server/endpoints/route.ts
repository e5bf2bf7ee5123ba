import type { RouteConfig, RouteContext, RouteKind } from "../config/route_config.ts";
import type { Settings } from "../config/settings.ts";
import { createIncomingRequest } from "../http/incoming_request.ts";
import { type ResponseData, toResponseData } from "../http/response_data.ts";
import type { RoutePattern } from "../http/router.ts";
import type { RequestContext } from "../issuer/context.ts";
import { findSufficientSession } from "../issuer/sessions/sessions.ts";
import { findUser } from "../issuer/users/users.ts";
import type { EndpointMember } from "../model/server_metadata.ts";
import { lazyModule } from "../util/lazy_module.ts";

/** Responds to a request; `segment` is the value of the open segment of the path. */
export type Endpoint = (
  ctx: RequestContext,
  segment: string,
) => ResponseData | Promise<ResponseData>;

/** A row of the table of routes: everything there is to know about an endpoint. */
export interface Route extends RoutePattern {
  handler: Endpoint;
  kind: RouteKind;
  /** Whether scripts of any origin may read the responses. */
  cors?: boolean;
  /** Whether scripts of a public client's own origin may send credentials, which are never read. */
  credentials?: boolean;
  /** The member of the metadata that names this endpoint. */
  metadata?: EndpointMember;
  /** Whether the route exists under these settings; without it, the route always exists. */
  enabled?: (settings: Settings) => boolean;
  /** Whether the path is well-known: it is served both before and after the path of the issuer. */
  wellKnown?: boolean;
}

/** What else a row may have, after its method, path, endpoint and kind. */
export type RouteOptions = Partial<
  Omit<Route, "method" | "path" | "handler" | "kind" | "cors">
>;

/** The name of an endpoint for people. */
export type PageEndpoint = keyof typeof import("./page_endpoints.ts");

/** The endpoints for people. A server for programs alone never loads them. */
export const pageEndpoints: Record<PageEndpoint, Endpoint> = lazyModule(() =>
  import("./page_endpoints.ts")
);

/** Creates a route for people in a browser. */
export function pageRoute(
  method: Route["method"],
  path: string,
  handler: Endpoint,
  options?: RouteOptions,
): Route {
  return { method, path, handler, kind: "page", ...options };
}

/** Creates a route for programs, which include the scripts of pages of any origin. */
export function apiRoute(
  method: Route["method"],
  path: string,
  handler: Endpoint,
  options?: RouteOptions,
): Route {
  return { method, path, handler, kind: "api", cors: true, ...options };
}

/** Makes a route of the table from one that the operator configured. */
export function toRoute({ handler, enabled = true, ...route }: RouteConfig): Route {
  return {
    ...route,
    handler: async (ctx, segment) => {
      const request = await ctx.request.toRequest();
      const routeCtx: RouteContext = {
        issuer: ctx.settings.issuer,
        metadata: ctx.metadata(),
        now: ctx.now,
        emit: ctx.emit,
        findUser: async (name) => await findUser(ctx, name),
        async findSignedInUser(request) {
          const asked = { ...ctx, request: createIncomingRequest(request) };
          const session = await findSufficientSession(asked);
          return session?.user;
        },
      };
      return toResponseData(await handler(routeCtx, request, segment));
    },
    enabled: () => enabled,
  };
}
