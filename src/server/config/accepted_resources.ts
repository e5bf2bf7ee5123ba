import type { AcceptedResources, Resource } from "../model/access_token.ts";
import { isApiScope, type OwnScopes } from "../model/claims.ts";
import { parseDuration } from "../util/time/duration.ts";
import type { ResourceConfig } from "./access_config.ts";
import type { CoreConfig } from "./config.ts";
import { type ReportProblem, reportUnlisted } from "./problems.ts";

/** Returns the resources that tokens may be meant for. The issuer is always one, for userinfo. */
export function acceptedResourcesOf(config: CoreConfig): AcceptedResources {
  const { issuer, defaultResource = issuer, resources = [] } = config;
  if (resources === "any") return "any";
  const listed = resources.map(toResource);
  const implied = new Set([defaultResource, issuer]);
  for (const { uri } of listed) implied.delete(uri);
  return { only: [...listed, ...[...implied].map((uri) => ({ uri }))] };
}

export function uriOf(resource: string | ResourceConfig): string {
  return typeof resource === "string" ? resource : resource.uri;
}

/** Reports scopes of a resource that its tokens cannot have. */
export function checkResource(
  resource: string | ResourceConfig,
  server: OwnScopes & { scopes: ReadonlyMap<string, unknown> },
  report: ReportProblem,
): void {
  if (typeof resource === "string") return;
  reportUnlisted(report, "scopes", resource.scopes, {
    among: [...server.scopes.keys()],
    why: ", which is not a scope of the server",
  });
  const userScope = resource.scopes?.find((token) => !isApiScope(token, server));
  if (userScope) {
    report("scopes", `contains '${userScope}', which grants access to userinfo, not to an API`);
  }
}

function toResource(resource: string | ResourceConfig): Resource {
  if (typeof resource === "string") return { uri: resource };
  return { ...resource, accessTokenLifetime: parseDuration(resource.accessTokenLifetime) };
}
