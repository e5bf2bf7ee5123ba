import { isPublic } from "../../model/client.ts";
import type { RequestContext } from "../context.ts";

/**
 * Returns the origin whose scripts may read the response although they sent credentials, as some
 * libraries always do. It is the origin of one of a public client's redirect URIs, which sees the
 * tokens anyway. With an Authorization header there is none: a browser with a cached password adds
 * that header on its own.
 */
export function scriptOriginOf({ request, client }: RequestContext): string | undefined {
  const origin = request.headers.get("Origin");
  if (origin === null || !client || !isPublic(client) || request.headers.has("Authorization")) {
    return undefined;
  }
  return client.redirectUris.some((uri) => webOriginOf(uri) === origin) ? origin : undefined;
}

/**
 * A private scheme has no origin: the URL parser returns "null", like a browser for opaque origins.
 */
function webOriginOf(uri: string): string | undefined {
  return /^https?:/i.test(uri) ? new URL(uri).origin : undefined;
}
