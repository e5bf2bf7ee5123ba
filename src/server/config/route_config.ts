import type { User } from "../model/user.ts";
import type { ServerEvent } from "./events.ts";

/** Whom a route serves: `"page"` for people in a browser, `"api"` for programs. */
export type RouteKind = "page" | "api";

/**
 * Your own route, beside those of the server.
 *
 * @example
 * ```ts
 * import { createServer } from "@hallpass/hallpass";
 *
 * const server = createServer({
 *   issuer: "https://id.example",
 *   routes: [{
 *     method: "GET",
 *     path: "/whoami",
 *     kind: "api",
 *     handler: async (ctx, request) => {
 *       const user = await ctx.findSignedInUser(request);
 *       return Response.json({ name: user?.name ?? null });
 *     },
 *   }],
 * });
 * ```
 */
export interface RouteConfig {
  /** The method that the route handles. A `GET` route of kind `"api"` handles `HEAD` as well. */
  method: "GET" | "POST" | "PUT" | "DELETE";
  /**
   * The path below the issuer. One segment may be open: `"/teams/:id"`. A path of the server itself
   * replaces the server's own route.
   *
   * @format path
   */
  path: string;
  /** Creates the response. */
  handler: RouteHandler;
  /** Decides whether an error becomes a page or JSON. */
  kind: RouteKind;
  /** Whether scripts of any origin may read the responses. Credentials are never allowed. */
  cors?: boolean;
  /**
   * Whether the route exists.
   *
   * @default true
   */
  enabled?: boolean;
}

/**
 * Responds to a request for your own route. `segment` is the value of the path's open segment,
 * or an empty string. A thrown `OAuthError` becomes an error response; any other error becomes a
 * response with the status 500 and the event `server.failed`.
 */
export type RouteHandler = (
  ctx: RouteContext,
  request: Request,
  segment: string,
) => Response | Promise<Response>;

/** What the server offers to the handlers of your own routes. */
export interface RouteContext {
  /** The issuer identifier of the server. */
  readonly issuer: string;
  /** The server's metadata document (RFC 8414), with the URL of each endpoint. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Returns the current time of the server's clock, in milliseconds. */
  now(): number;
  /** Finds a user by name. A disabled user is not found. */
  findUser(name: string): Promise<User | undefined>;
  /** Finds the user who is signed in with the browser that sent a request. */
  findSignedInUser(request: Request): Promise<User | undefined>;
  /** Reports an event to the listener in the configuration, `onEvent`. */
  emit(event: ServerEvent): void;
}
