/** Headers in the order in which they are sent; a name may stand there twice, as `Set-Cookie` does. */
export type HeaderList = ReadonlyArray<readonly [name: string, value: string]>;

/** Nothing that a server of secrets says may be kept by a cache (OAuth 2.1, section 3.2.3). */
const noStore: HeaderList = [["Cache-Control", "no-store"], ["X-Content-Type-Options", "nosniff"]];

/** What a page may do: nothing but show itself, with the styles and scripts of this server (RFC 9700, sections 4.2.4 and 4.16). */
const pageHeaders: HeaderList = [
  ["Content-Type", "text/html; charset=utf-8"],
  ...noStore,
  [
    "Content-Security-Policy",
    // No form-action: Chromium applies it to every redirect after the form, and so to the clients themselves.
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  ],
  ["X-Frame-Options", "DENY"],
  ["Referrer-Policy", "no-referrer"],
];

export function json(value: unknown, status = 200, headers: HeaderList = []): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: toHeaders([["Content-Type", "application/json"], ...noStore, ...headers]),
  });
}

/** Documents that are the same for everybody may be kept for a while. */
export function publicJson(text: string, contentType = "application/json"): Response {
  return new Response(text, {
    headers: toHeaders([["Content-Type", contentType], ["Cache-Control", "public, max-age=300"], ["X-Content-Type-Options", "nosniff"]]),
  });
}

export function html(page: string, status = 200, headers: HeaderList = []): Response {
  return new Response(page, { status, headers: toHeaders([...pageHeaders, ...headers]) });
}

/** 303 and nothing else: the method becomes GET, and what a form held stays behind (RFC 9700, section 4.12). */
export function redirect(location: string, headers: HeaderList = []): Response {
  return new Response(null, {
    status: 303,
    headers: toHeaders([["Location", location], ...noStore, ["Referrer-Policy", "no-referrer"], ...headers]),
  });
}

export function empty(status: number, headers: HeaderList = []): Response {
  return new Response(null, { status, headers: toHeaders([...noStore, ...headers]) });
}

export function asset(text: string, contentType: string): Response {
  return new Response(text, {
    headers: toHeaders([["Content-Type", contentType], ["Cache-Control", "public, max-age=3600"], ["X-Content-Type-Options", "nosniff"]]),
  });
}

function toHeaders(list: HeaderList): Headers {
  const headers = new Headers();
  for (const [name, value] of list) headers.append(name, value);
  return headers;
}
