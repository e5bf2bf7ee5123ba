import type { OAuthError } from "../protocol/oauth_error.ts";
import { brokenRule } from "../protocol/rule.ts";
import { ruleSet } from "../protocol/rule_set.ts";
import { hasPlausibleHost, maxComparedPath, methodsOf, type RoutePattern } from "./router.ts";

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

export const requestRules = ruleSet("request", about, {
  address: {
    parameter: "Host",
    must: "The request must have a plausible host",
    fix: "Send the request to the URL of the endpoint.",
    holds: hasPlausibleHost,
  },
  written_path: {
    must: "The path must have no dot segment and no backslash: others would read it differently",
    fix: "Send the request to the URL of the endpoint.",
  },
  path: {
    error: "not_found",
    must: "The URL must exist",
    message: "This URL does not exist.",
    details: { see: undefined },
    fix: "Read the URL of the endpoint from the metadata of the issuer.",
    holds: ({ routes }: RoutedRequest) => routes.length > 0,
    expected: describeNearest,
    came: ({ method, path = "" }) => `${method} ${path.slice(0, maxComparedPath)}`,
  },
  method: {
    must: "The method must be one that the URL supports",
    message: ({ routes }) => `This URL supports ${methodsOf(routes).join(", ")} only.`,
    details: ({ routes }) => ({
      see: undefined,
      status: 405,
      headers: { Allow: methodsOf(routes).join(", ") },
    }),
    holds: ({ route }: RoutedRequest) => route !== undefined,
    expected: ({ routes }) => methodsOf(routes).join(" or "),
    came: ({ method }) => method,
  },
});

function describeNearest({ routes, findNearest }: RoutedRequest): string | undefined {
  const nearest = routes.length > 0 ? undefined : findNearest?.();
  return nearest && `an existing URL, such as ${nearest.method} ${nearest.path}`;
}

export function pathNotAsWritten(): OAuthError {
  return brokenRule(requestRules.written_path, undefined);
}

export function notFound(): OAuthError {
  return brokenRule(requestRules.path, { method: "", path: "", routes: [] });
}

export function methodNotAllowed(routes: readonly RoutePattern[]): OAuthError {
  return brokenRule(requestRules.method, { method: "", path: "", routes });
}
