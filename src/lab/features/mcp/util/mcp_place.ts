import { resourceMetadataPath } from "../../../../resource/resource_metadata.ts";
import { endpointAt } from "../../../../server/config/endpoint_paths.ts";
import type { Settings } from "../../../../server/config/settings.ts";
import { createRouter } from "../../../../server/http/router.ts";
import { issuerUrl } from "../../../../server/protocol/issuer_url.ts";
import { isLoopbackHost } from "../../../../server/util/addresses/uri.ts";
import { mcpPath } from "../../../responses/places.ts";

/**
 * Whether a path may be of the MCP server or of its metadata. The code of the server loads with the
 * first such request.
 */
export function isMcpPath(path: string): boolean {
  return path === mcpPath || path === resourceMetadataPath ||
    (path.startsWith(`${resourceMetadataPath}/`) && path.endsWith(mcpPath));
}

/** Returns why a lab has no MCP server at `/mcp`, or undefined if it has one. */
export function mcpProblem({ routes, paths, resources, issuer }: Settings): string | undefined {
  if (createRouter(routes)("POST", mcpPath).routes.length > 0) {
    return `a route of the configuration has the path '${mcpPath}'`;
  }
  const endpoint = endpointAt(paths, mcpPath);
  if (endpoint !== undefined) return `'paths.${endpoint}' is '${paths[endpoint]}'`;
  const url = issuerUrl(issuer, mcpPath);
  const isGrantable = resources === "any" || resources.only.some(({ uri }) => uri === url);
  return isGrantable ? undefined : `'resources' does not list '${url}'`;
}

/**
 * Returns the URL of the MCP server as the client of a request knows it, which compares it with the
 * metadata. Of all hosts, only those of the lab count; each name of the loopback interface is one.
 */
export function mcpUrl(requested: URL, addresses: readonly string[]): string {
  const { host, hostname, port } = requested;
  const [issuer = ""] = addresses;
  const address = addresses.find((each) => new URL(each).host === host);
  if (address !== undefined) return issuerUrl(address, mcpPath);
  const url = new URL(issuerUrl(issuer, mcpPath));
  const isOtherName = isLoopbackHost(hostname) && isLoopbackHost(url.hostname);
  if (isOtherName && url.port === port) url.hostname = hostname;
  return url.href;
}
