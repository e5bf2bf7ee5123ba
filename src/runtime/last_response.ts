/** Makes a response the last one of its connection (RFC 9112, section 9.6). */
export function lastResponse(response: Response): Response {
  try {
    response.headers.set("Connection", "close");
    return response;
  } catch {
    // The headers of a response that was fetched, or made by `Response.redirect`, are immutable.
    const { body, status, headers } = response;
    return new Response(body, { status, headers: [...headers, ["Connection", "close"]] });
  }
}

/**
 * Whether a request announced a body that was not read. A connection that is kept alive after the
 * response waits for the rest of it, for as long as the client likes.
 */
export function hasUnreadBody(request: Request): boolean {
  if (request.bodyUsed) return false;
  const { headers } = request;
  return headers.has("Transfer-Encoding") || Number(headers.get("Content-Length")) > 0;
}
