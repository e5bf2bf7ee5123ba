import { readJwt, textClaims } from "../recording/credentials.ts";
import { findForm, unescapeHtml } from "../util/html_forms.ts";

/** The authorization response, as the browser brings it to the client. */
export interface AuthorizationResult {
  /**
   * The URL of the callback; for `form_post`, the redirect URI; for a device, that of the last
   * page.
   */
  callback: string;
  /** The authorization code, if the user allowed the request. */
  code?: string | undefined;
  /** The error code, if there is no authorization code. */
  error?: string | undefined;
  /** All parameters of the response. */
  parameters: Record<string, string>;
  /** For `form_post`, the HTML of the page that sends the response. */
  page?: string | undefined;
  /** For the URL of a device (`verification_uri_complete`), what its user decided. */
  device?: "allowed" | "denied" | undefined;
}

export interface LoadedPage {
  /** Its URL at the server, which its links are relative to. */
  url: string;
  /** The URL that was requested: another host may lead to the server. */
  sentTo: string;
  status: number;
  /** Where a redirect leaves the server. */
  location?: string;
  html: string;
}

/** Returns the result that a page has, or undefined if the flow goes on there. */
export function resultOf(
  { url, location, html }: Omit<LoadedPage, "sentTo">,
): AuthorizationResult | undefined {
  if (location !== undefined) {
    const { searchParams, hash } = new URL(location);
    return toResult(
      location,
      Object.fromEntries([...searchParams, ...new URLSearchParams(hash.slice(1))]),
    );
  }
  const form = findForm(html, "form-post", url);
  if (form) return toResult(form.action, Object.fromEntries(form.hidden), html);
  const device = deviceResult(url, html);
  if (device) return device;
  const onward = onwardResult(url, html);
  // Of an encrypted response, only the page shows the error.
  const [, error = onward?.error] = /<code id="error">(\w+)</.exec(html) ?? [];
  // Any error but a denial is a mistake, which the page explains.
  return onward && error === "access_denied" ? { ...onward, error } : undefined;
}

function deviceResult(url: string, html: string): AuthorizationResult | undefined {
  const [, device] = /<section class="card" id="device-(allowed|denied)"/.exec(html) ?? [];
  if (device !== "allowed" && device !== "denied") return undefined;
  return { callback: url, parameters: {}, device };
}

/**
 * Follows the link of an error page: that is how the error reaches a client that registered itself.
 */
function onwardResult(url: string, html: string): AuthorizationResult | undefined {
  const form = findForm(html, "onward", url);
  if (form) return toResult(form.action, Object.fromEntries(form.hidden), html);
  const [, href] = /<a id="onward" href="([^"]*)"/.exec(html) ?? [];
  return href === undefined
    ? undefined
    : resultOf({ url, status: 303, location: unescapeHtml(href), html: "" });
}

/**
 * Returns undefined for a redirect that carries no authorization response: it is not a callback.
 */
function toResult(
  callback: string,
  parameters: Record<string, string>,
  page?: string,
): AuthorizationResult | undefined {
  const { response, id_token } = parameters;
  // A signed response has the others in its claims (JARM, section 2.1).
  const signed = response && textClaims(readJwt(response)?.claims ?? {});
  const { code, error } = signed ? Object.fromEntries(signed) : parameters;
  return code ?? error ?? response ?? id_token
    ? { callback, code, error, parameters, page }
    : undefined;
}
