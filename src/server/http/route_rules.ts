import type { OAuthError } from "../protocol/oauth_error.ts";
import { brokenRule, type Rule } from "../protocol/rule.ts";
import { maxComparedPath, methodsOf, type RoutePattern } from "./router.ts";

/** A request, and the route that is nearest to it. */
export interface RoutedRequest {
  method: string;
  path: string | undefined;
  routes: readonly RoutePattern[];
  /** The route that handles it. */
  route?: RoutePattern | undefined;
  /** Finds the request that was probably meant. */
  findNearest?: (() => RoutePattern | undefined) | undefined;
}

const about = { see: "RFC 9110, section 15.5", error: "invalid_request" } as const;

export const addressIsPlausible: Rule<RoutedRequest> = {
  ...about,
  id: "request.address",
  title: "The request has a plausible host and URL",
  parameter: "Host",
  message: "The request names no plausible host or address.",
  advice: "Send the request to the URL of the endpoint.",
  holds: ({ path }) => path !== undefined,
};

export const pathIsKnown: Rule<RoutedRequest> = {
  ...about,
  id: "request.path",
  title: "The URL exists",
  error: "not_found",
  message: "This URL does not exist.",
  details: { see: undefined },
  advice: "Read the URL of the endpoint from the metadata of the issuer.",
  holds: ({ routes }) => routes.length > 0,
  expected: describeNearest,
  came: ({ method, path = "" }) => `${method} ${path.slice(0, maxComparedPath)}`,
};

export const methodIsSupported: Rule<RoutedRequest> = {
  ...about,
  id: "request.method",
  title: "The endpoint supports the method",
  message: ({ routes }) => `This URL supports ${methodsOf(routes).join(", ")} only.`,
  details: ({ routes }) => ({
    see: undefined,
    status: 405,
    headers: { Allow: methodsOf(routes).join(", ") },
  }),
  advice: "Use a method that the endpoint supports.",
  holds: ({ route }) => route !== undefined,
  expected: ({ routes }) => methodsOf(routes).join(" or "),
  came: ({ method }) => method,
};

function describeNearest({ routes, findNearest }: RoutedRequest): string | undefined {
  const nearest = routes.length > 0 ? undefined : findNearest?.();
  return nearest && `an existing URL, such as ${nearest.method} ${nearest.path}`;
}

export function notFound(): OAuthError {
  return brokenRule(pathIsKnown, { method: "", path: "", routes: [] });
}

export function methodNotAllowed(routes: readonly RoutePattern[]): OAuthError {
  return brokenRule(methodIsSupported, { method: "", path: "", routes });
}
