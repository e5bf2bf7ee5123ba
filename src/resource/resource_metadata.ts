import { allowScripts, preflightResponse } from "../http/cors.ts";
import { errorResponse, publicText } from "../http/response.ts";
import { methodNotAllowed } from "../http/router.ts";

/** What an API tells about itself (RFC 9728, section 2). */
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
}

const wellKnown = "/.well-known/oauth-protected-resource";

/** For so long clients may keep the document, in seconds. */
const maxAge = 300;

/** Where the metadata of a resource stands: the well-known part comes before its path (RFC 9728, section 3.1). */
export function metadataUrl(resource: string): string {
  const { origin, pathname, search } = new URL(resource);
  return `${origin}${wellKnown}${pathname === "/" ? "" : pathname}${search}`;
}

/** Answers who asks for the metadata, and nobody else. */
export function metadataResponse(
  request: Request,
  metadata: ResourceMetadata,
): Response | undefined {
  if (
    withoutSlash(new URL(request.url).pathname) !==
      withoutSlash(new URL(metadataUrl(metadata.resource)).pathname)
  ) return undefined;
  if (request.method === "OPTIONS") return preflightResponse(["GET"]);
  if (request.method !== "GET" && request.method !== "HEAD") {
    return allowScripts(
      errorResponse(methodNotAllowed([{ method: "GET", path: wellKnown }]), metadata.resource),
    );
  }
  const document = publicText(JSON.stringify(metadata), "application/json", maxAge);
  return allowScripts(request.method === "HEAD" ? new Response(null, document) : document);
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, "");
}
