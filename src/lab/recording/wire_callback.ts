import { unescapeHtml } from "../browser/html_forms.ts";
import { headerOf, type WireResponse } from "./exchange.ts";

/** An authorization response on its way to the client. */
export interface WireCallback {
  redirectUri: string;
  mode: "query" | "fragment" | "form_post";
  members: Array<[name: string, value: string]>;
}

/** Finds the authorization response in an answer of the authorization endpoint, or of a page that follows it. */
export function callbackIn(response: WireResponse, issuer: string): WireCallback | undefined {
  const location = headerOf(response, "Location");
  return location === undefined
    ? callbackInForm(response.body)
    : callbackInLocation(location, issuer);
}

/** Puts an authorization response into the place of another one. */
export function withCallback(
  response: WireResponse,
  { redirectUri, mode, members }: WireCallback,
): WireResponse {
  if (mode === "form_post") return { ...response, body: withInputs(response.body, members) };
  const parameters = members.map((member) => member.map(encodeURIComponent).join("=")).join("&");
  const separator = mode === "fragment" ? "#" : redirectUri.includes("?") ? "&" : "?";
  const location = `${redirectUri}${separator}${parameters}`;
  return {
    ...response,
    headers: response.headers.map((
      [name, value],
    ) => [name, name.toLowerCase() === "location" ? location : value]),
  };
}

const memberNames = ["code", "error", "response", "error_description", "state", "iss"];

function callbackInLocation(location: string, issuer: string): WireCallback | undefined {
  if (!URL.canParse(location, issuer)) return undefined;
  const mode = location.includes("#") ? "fragment" : "query";
  const [place, text = ""] = splitAt(location, mode === "fragment" ? "#" : "?");
  const all = [...new URLSearchParams(text)];
  const members = all.filter(([name]) => memberNames.includes(name));
  if (!isResponse(members)) return undefined;
  // What belongs to the redirect URI itself stays with it.
  const own = all.filter(([name]) => !memberNames.includes(name));
  return {
    redirectUri: own.length > 0 ? `${place}?${new URLSearchParams(own)}` : place,
    mode,
    members,
  };
}

function callbackInForm(html: string): WireCallback | undefined {
  const [form, action] =
    /<form id="form-post"[^>]* action="([^"]*)"[^>]*>[\s\S]*?<\/form>/.exec(html) ?? [];
  if (form === undefined) return undefined;
  const members = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
    .map(([, name, value]): [string, string] => [unescapeHtml(name), unescapeHtml(value)]);
  return isResponse(members)
    ? { redirectUri: unescapeHtml(action), mode: "form_post", members }
    : undefined;
}

function withInputs(html: string, members: WireCallback["members"]): string {
  const inputs = members.map(([name, value]) =>
    `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}"/>`
  ).join("");
  return html.replace(
    /(<form id="form-post"[^>]*>)(?:<input type="hidden"[^>]*>)*/,
    (_, start: string) => start + inputs,
  );
}

function isResponse(members: WireCallback["members"]): boolean {
  return members.some(([name]) => name === "code" || name === "error" || name === "response");
}

function splitAt(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(
    '"',
    "&quot;",
  );
}
