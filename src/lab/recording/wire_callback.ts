import { findForm } from "../util/html_forms.ts";
import { readJwt } from "./credentials.ts";
import { headerOf, type WireResponse, withHeaderValue } from "./exchange.ts";

/** An authorization response has at least one of these. */
const responseMembers = ["code", "id_token", "error", "response"];
const memberNames = [...responseMembers, "error_description", "error_uri", "state", "iss"];

/** The form that sends an authorization response by POST, from its start to its hidden fields. */
const formPost = /(<form id="form-post"[^>]*>)(?:<input type="hidden"[^>]*>)*/;

/** The parameters of an authorization response. */
export interface WireCallback {
  redirectUri: string;
  mode: "query" | "fragment" | "form_post";
  members: CallbackMembers;
}

export type CallbackMembers = Array<[name: string, value: string]>;

export function callbackIn(response: WireResponse, issuer: string): WireCallback | undefined {
  const location = headerOf(response, "Location");
  return location === undefined
    ? callbackInForm(response.body, issuer)
    : callbackInLocation(location, issuer);
}

/** Returns a parameter of an authorization response. */
export function memberOf(callback: WireCallback | undefined, name: string): string | undefined {
  return callback?.members.find(([each]) => each === name)?.[1];
}

/** Returns the parameters that a client reads: those of a signed response are in its claims. */
export function readMembers(callback: WireCallback | undefined): Record<string, unknown> {
  const jwt = readJwt(memberOf(callback, "response") ?? "");
  return jwt?.claims ?? Object.fromEntries(callback?.members ?? []);
}

/** Replaces the authorization response in a response of the server. */
export function withCallback(response: WireResponse, callback: WireCallback): WireResponse {
  if (callback.mode === "form_post") {
    const inputs = callback.members.map(([name, value]) =>
      `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}"/>`
    );
    const body = response.body.replace(formPost, (_, start: string) => start + inputs.join(""));
    return { ...response, body };
  }
  return withHeaderValue(response, "Location", locationOf(callback));
}

function locationOf({ redirectUri, mode, members }: WireCallback): string {
  const parameters = members.map((member) => member.map(encodeURIComponent).join("=")).join("&");
  if (mode === "fragment") return `${redirectUri}#${parameters}`;
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${parameters}`;
}

function callbackInLocation(location: string, issuer: string): WireCallback | undefined {
  if (!URL.canParse(location, issuer)) return undefined;
  const mode = location.includes("#") ? "fragment" : "query";
  const [start, parameters] = splitAt(location, mode === "fragment" ? "#" : "?");
  const all = [...new URLSearchParams(parameters)];
  const members = all.filter(([name]) => memberNames.includes(name));
  if (!isResponse(members)) return undefined;
  // Parameters of the redirect URI itself stay with it.
  const ownParameters = all.filter(([name]) => !memberNames.includes(name));
  const redirectUri = ownParameters.length > 0
    ? `${start}?${new URLSearchParams(ownParameters)}`
    : start;
  return { redirectUri, mode, members };
}

function callbackInForm(html: string, issuer: string): WireCallback | undefined {
  // Most responses are JSON, and long ones take long to search by a pattern.
  if (!html.includes('<form id="form-post"')) return undefined;
  const form = findForm(html, "form-post", issuer);
  if (!form || !isResponse(form.hidden)) return undefined;
  return { redirectUri: form.action, mode: "form_post", members: form.hidden };
}

function isResponse(members: CallbackMembers): boolean {
  return members.some(([name]) => responseMembers.includes(name));
}

function splitAt(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
