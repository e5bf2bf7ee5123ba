import type { OAuthError } from "../protocol/oauth_error.ts";
import { ruleError, ruleSet } from "../protocol/rule.ts";
import { parseUrl } from "../util/addresses/uri.ts";
import { nearestName } from "../util/text/nearest_name.ts";
import { memoize } from "../util/values/memoize.ts";
import type { IncomingRequest, RequestHeaders } from "./incoming_request.ts";

const plausibleHost = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** The longest path that is compared with those of routes, in characters. */
const maxComparedPath = 100;

/** How many URLs have their paths remembered: most requests are for a few. */
const maxRememberedPaths = 100;

const pathOf = memoize(readPath, maxRememberedPaths);

/** The path of a URL, as written. A program may send a fragment; a browser never does. */
const writtenPath = /^[^/]*\/\/[^/#]*([^#]*)/;

/** The part of a route that the router needs. */
export interface RoutePattern {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** A path. One of its segments may be a placeholder: `/clients/:id`. */
  path: string;
}

export interface RouteMatch<Route extends RoutePattern> {
  /** The path of the request; undefined if it cannot be routed. */
  path: string | undefined;
  /** The routes of the path, for every method. */
  routes: readonly Route[];
  /** The route for the method of the request. GET also handles HEAD. */
  route?: Route | undefined;
  /** The value of the placeholder. */
  segment: string;
  /** Finds the route that a path without one was probably meant to be. */
  findNearest?: (() => Route | undefined) | undefined;
}

export type Router<Route extends RoutePattern> = (
  method: string,
  path: string,
) => RouteMatch<Route>;

interface RoutedRequest extends Omit<RouteMatch<RoutePattern>, "segment"> {
  method: string;
}

interface PlaceholderPath<Route extends RoutePattern> {
  pattern: RegExp;
  routes: Route[];
}

const about = { see: "RFC 9110, section 15.5", error: "invalid_request" } as const;

export const routeRules = ruleSet("request", about, {
  address: {
    parameter: "Host",
    title: "The request must have a plausible host",
    fix: "Send the request to the URL of the endpoint.",
    holds: hasPlausibleHost,
  },
  written_path: {
    title: "The path must have no dot segment and no backslash: others would read it differently",
    fix: "Send the request to the URL of the endpoint.",
  },
  path: {
    error: "not_found",
    title: "The URL must exist",
    message: "This URL does not exist.",
    details: { see: undefined },
    fix: "Read the URL of the endpoint from the metadata of the issuer.",
    holds: ({ routes }: RoutedRequest) => routes.length > 0,
    expected: describeNearest,
    received: ({ method, path = "" }) => `${method} ${path.slice(0, maxComparedPath)}`,
  },
  method: {
    title: "The method must be one that the URL supports",
    message: ({ routes }) => `This URL supports ${methodsOf(routes).join(", ")} only.`,
    details: ({ routes }) => ({
      see: undefined,
      status: 405,
      headers: { Allow: methodsOf(routes).join(", ") },
    }),
    holds: ({ route }: RoutedRequest) => route !== undefined,
    expected: ({ routes }) => methodsOf(routes).join(" or "),
    received: ({ method }) => method,
  },
});

/**
 * Creates a router. Exact paths are looked up; the few with a placeholder are tried in turn. Of two
 * routes with the same path and method, the first one is used.
 */
export function createRouter<Route extends RoutePattern>(table: readonly Route[]): Router<Route> {
  const byPath = new Map<string, Route[]>();
  for (const route of table) byPath.set(route.path, [...byPath.get(route.path) ?? [], route]);
  const exactPaths = new Map<string, Route[]>();
  const placeholderPaths: Array<PlaceholderPath<Route>> = [];
  for (const [path, routes] of byPath) {
    if (path.includes("/:")) {
      const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      const pattern = new RegExp(`^${escaped.replace(/\/:[^/]+/, "/([^/]+)")}$`);
      placeholderPaths.push({ pattern, routes });
    } else exactPaths.set(path, routes);
  }
  return (method, path) => {
    const exact = exactPaths.get(path);
    const { routes, segment } = exact
      ? { routes: exact, segment: "" }
      : matchPlaceholder(placeholderPaths, path);
    const routedMethod = method === "HEAD" ? "GET" : method;
    const findNearest = () => nearestRoute(exactPaths, path, routedMethod);
    const route = routes.find((route) => route.method === routedMethod);
    return { path, routes, route, segment, findNearest };
  };
}

/** Returns the path of a request, or undefined if it cannot be routed: it may have no valid URL. */
export function requestPath(request: Pick<IncomingRequest, "headers" | "url">): string | undefined {
  const [address = ""] = request.url.split("?", 1);
  return hasPlausibleHost(request.headers) ? pathOf(address) : undefined;
}

export function methodsOf(routes: readonly RoutePattern[]): string[] {
  return [...new Set(routes.map((route) => route.method))];
}

export function pathNotAsWritten(): OAuthError {
  return ruleError(routeRules.written_path, undefined);
}

export function notFound(): OAuthError {
  return ruleError(routeRules.path, { method: "", path: "", routes: [] });
}

export function methodNotAllowed(routes: readonly RoutePattern[]): OAuthError {
  return ruleError(routeRules.method, { method: "", path: "", routes });
}

function nearestRoute<Route extends RoutePattern>(
  paths: ReadonlyMap<string, readonly Route[]>,
  path: string,
  method: string,
): Route | undefined {
  // Comparing long texts takes long, and all of our paths are short.
  if (path.length > maxComparedPath) return undefined;
  const known = [...paths.keys()];
  // Other servers have their endpoints in other folders: `/token`, `/connect/token`.
  const end = path.slice(path.lastIndexOf("/"));
  const withSameEnd = end.length > 1 ? known.find((each) => each.endsWith(end)) : undefined;
  const nearest = withSameEnd ?? nearestName(path, known);
  const routes = paths.get(nearest ?? "") ?? [];
  return routes.find((route) => route.method === method) ?? routes[0];
}

function matchPlaceholder<Route extends RoutePattern>(
  paths: ReadonlyArray<PlaceholderPath<Route>>,
  path: string,
): Pick<RouteMatch<Route>, "routes" | "segment"> {
  for (const { pattern, routes } of paths) {
    const [, segment] = pattern.exec(path) ?? [];
    if (segment !== undefined) return { routes, segment };
  }
  return { routes: [], segment: "" };
}

function describeNearest({ routes, findNearest }: RoutedRequest): string | undefined {
  const nearest = routes.length > 0 ? undefined : findNearest?.();
  return nearest && `an existing URL, such as ${nearest.method} ${nearest.path}`;
}

/** Whether a request has a host that can be one. On Deno, some others change the path. */
export function hasPlausibleHost(headers: RequestHeaders): boolean {
  const host = headers.get("Host");
  return host === null || plausibleHost.test(host);
}

/**
 * Returns the path of a URL, or undefined if a parser reads another one than is written: a proxy
 * that keeps some paths from the public would have let `/x/../register` and `/\register` pass.
 */
function readPath(address: string): string | undefined {
  const path = parseUrl(address)?.pathname;
  const [, written] = writtenPath.exec(address) ?? [];
  return path === (written || "/") ? path : undefined;
}
