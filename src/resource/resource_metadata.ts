import { allowScripts, preflightResponse } from "../server/http/cors.ts";
import { errorResponse, publicResponse } from "../server/http/response.ts";
import { toResponse, withoutBody } from "../server/http/response_data.ts";
import { methodNotAllowed } from "../server/http/router.ts";
import { minute } from "../server/util/time/duration.ts";

/** The path of the metadata of an API without a path (RFC 9728, section 3.1). */
export const resourceMetadataPath = "/.well-known/oauth-protected-resource";

/** How long clients may cache the document, in seconds. */
const maxAge = 5 * minute;

/** The metadata of an API (RFC 9728, section 2). */
export interface ResourceMetadata {
  /** The identifier of the resource. */
  resource: string;
  /** The issuers whose tokens the resource accepts. */
  authorization_servers: string[];
  /** How a token may be sent. */
  bearer_methods_supported: string[];
  /** The scopes that clients may need. */
  scopes_supported?: string[];
  /** The name of the resource for users. */
  resource_name?: string;
  /** The URL of its documentation for developers. */
  resource_documentation?: string;
  /** The algorithms of DPoP proofs. */
  dpop_signing_alg_values_supported?: readonly string[];
  /** Whether every token must be bound to a key. */
  dpop_bound_access_tokens_required?: boolean;
  /** Whether a token may be bound to a certificate. */
  tls_client_certificate_bound_access_tokens?: boolean;
}

/** Returns the URL of a resource's metadata (RFC 9728, section 3.1). */
export function metadataUrl(resource: string): string {
  const { origin, pathname, search } = new URL(resource);
  return `${origin}${resourceMetadataPath}${pathname === "/" ? "" : pathname}${search}`;
}

/** Responds to a request for the metadata. Returns undefined for any other request. */
export function metadataResponse(
  request: Request,
  metadata: ResourceMetadata,
  atRoot = false,
): Response | undefined {
  const { resource } = metadata;
  const path = pathWithoutSlash(request.url);
  const isRoot = atRoot && path === resourceMetadataPath;
  if (!isRoot && path !== pathWithoutSlash(metadataUrl(resource))) return undefined;
  if (request.method === "OPTIONS") return toResponse(preflightResponse(request.headers, ["GET"]));
  if (request.method !== "GET" && request.method !== "HEAD") {
    const error = methodNotAllowed([{ method: "GET", path: resourceMetadataPath }]);
    return toResponse(allowScripts(errorResponse(error, resource)));
  }
  const document = publicResponse(JSON.stringify(metadata), "application/json", maxAge);
  const response = request.method === "HEAD" ? withoutBody(document) : document;
  return toResponse(allowScripts(response));
}

function pathWithoutSlash(url: string): string {
  return new URL(url).pathname.replace(/\/$/, "");
}
