import { type Client, isPublic } from "../../model/client.ts";

/** Which client sent a request. */
const senders = new WeakMap<Request, Client>();

export function noteSender(request: Request, client: Client): void {
  senders.set(request, client);
}

/**
 * The origin whose scripts may read the response to a request that they sent with credentials, as
 * some libraries always do: one from which a public client has people sent back to it, and which may
 * see its tokens anyway. A browser adds an Authorization header by itself where it has cached a
 * password, so what came of one is for no script.
 */
export function scriptOriginOf(request: Request): string | undefined {
  const origin = request.headers.get("Origin");
  const client = senders.get(request);
  if (origin === null || !client || !isPublic(client) || request.headers.has("Authorization")) {
    return undefined;
  }
  return client.redirectUris.some((uri) => webOriginOf(uri) === origin) ? origin : undefined;
}

/** Private schemes have no origin; the URL parser calls it "null", as a browser calls an opaque one. */
function webOriginOf(uri: string): string | undefined {
  return /^https?:/i.test(uri) ? new URL(uri).origin : undefined;
}
