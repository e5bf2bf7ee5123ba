import { errorFactory, OAuthError } from "../protocol/oauth_error.ts";

const invalidRequest = errorFactory("invalid_request");

/** What the router must know of a route. */
export interface RoutePattern {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** A path; one segment may be open: `/clients/:id`. */
  path: string;
}

/** What stands at a path. */
export interface RouteMatch<Route extends RoutePattern> {
  /** All routes of the path, whatever their method. */
  routes: Route[];
  /** The route for the method; HEAD is answered as GET. */
  route?: Route;
  /** What stood in the open segment. */
  segment: string;
}

export type Router<Route extends RoutePattern> = (
  method: string,
  path: string,
) => RouteMatch<Route>;

/** Exact paths are looked up; the few with an open segment are tried in turn. Of two routes with the same path and method, the first counts. */
export function createRouter<Route extends RoutePattern>(table: readonly Route[]): Router<Route> {
  const exact = new Map<string, Route[]>();
  const open: Array<{ pattern: RegExp; routes: Route[] }> = [];
  for (const [path, routes] of groupByPath(table)) {
    if (path.includes("/:")) open.push({ pattern: patternOf(path), routes });
    else exact.set(path, routes);
  }
  return (method, path) => {
    const { routes, segment } = exact.has(path)
      ? { routes: exact.get(path)!, segment: "" }
      : matchOpen(open, path);
    const wanted = method === "HEAD" ? "GET" : method;
    return { routes, segment, route: routes.find((route) => route.method === wanted) };
  };
}

function groupByPath<Route extends RoutePattern>(table: readonly Route[]): Map<string, Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of table) groups.set(route.path, [...groups.get(route.path) ?? [], route]);
  return groups;
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/\/:[^/]+/, "/([^/]+)")}$`);
}

function matchOpen<Route extends RoutePattern>(
  open: ReadonlyArray<{ pattern: RegExp; routes: Route[] }>,
  path: string,
) {
  for (const { pattern, routes } of open) {
    const match = pattern.exec(path);
    if (match) return { routes, segment: match[1] };
  }
  return { routes: [], segment: "" };
}

export function methodsOf(routes: readonly RoutePattern[]): string[] {
  return [...new Set(routes.map((route) => route.method))];
}

export function notFound(): OAuthError {
  return new OAuthError("not_found", "There is nothing at this address.");
}

export function methodNotAllowed(routes: readonly RoutePattern[]): OAuthError {
  const allowed = methodsOf(routes).join(", ");
  return invalidRequest(`This address answers ${allowed} only.`, {
    status: 405,
    headers: { Allow: allowed },
  });
}
