import { base64url } from "jose";
import { secretsOfFeatures } from "../../src/server/features.ts";

type Fetch = (request: Request) => Promise<Response>;

/** Every parameter, member and header whose value proves something by being known. */
const credentialNames = new Set([
  ...["access_token", "refresh_token", "id_token", "code", "code_verifier", "request_uri"],
  ...["client_secret", "password", "client_assertion", "token", "response", "id_token_hint"],
  ...["form_token", "verification_uri_complete"],
  ...secretsOfFeatures,
]);

/** Shorter values are names and flags. */
const minLength = 8;

/**
 * Credentials that were sent in either direction, each with the name under which it was first seen.
 */
export type CredentialLog = Map<string, string>;

/** Wraps `fetch`, and notes each credential that a request or a response contains. */
export function noteCredentials(fetch: Fetch, credentials: CredentialLog): Fetch {
  const note = (name: string, value: string) => {
    if (value.length >= minLength && !credentials.has(value)) credentials.set(value, name);
  };
  return async (request) => {
    noteUrl(request.url, note);
    noteHeaders(request.headers, note);
    noteText(await request.clone().text(), note);
    const response = await fetch(request);
    noteHeaders(response.headers, note);
    noteText(await response.clone().text(), note);
    return response;
  };
}

type Note = (name: string, value: string) => void;

function noteUrl(url: string, note: Note): void {
  const { searchParams, hash } = new URL(url);
  noteParameters(searchParams, note);
  noteParameters(new URLSearchParams(hash.slice(1)), note);
}

function noteParameters(parameters: URLSearchParams, note: Note): void {
  for (const [name, value] of parameters) if (credentialNames.has(name)) note(name, value);
}

function noteHeaders(headers: Headers, note: Note): void {
  const [scheme = "", value = ""] = headers.get("Authorization")?.split(" ") ?? [];
  if (scheme === "Basic") note("Basic", atob(value).split(":")[1] ?? "");
  else note(scheme, value);
  const cookies = [...headers.getSetCookie(), ...headers.get("Cookie")?.split("; ") ?? []];
  for (const cookie of cookies) note("cookie", /=([^;]*)/.exec(cookie)?.[1] ?? "");
  const location = headers.get("Location");
  if (location !== null) noteUrl(new URL(location, "https://hallpass.test").href, note);
}

function noteText(text: string, note: Note): void {
  if (text.startsWith("{")) noteMembers(JSON.parse(text), note);
  else if (text.startsWith("<")) noteFields(text, note);
  else noteParameters(new URLSearchParams(text), note);
}

function noteMembers(members: object, note: Note): void {
  for (const [name, value] of Object.entries(members)) {
    if (typeof value === "object" && value !== null) noteMembers(value, note);
    else if (credentialNames.has(name)) note(name, `${value}`);
  }
}

function noteFields(html: string, note: Note): void {
  for (const [, name = "", value = ""] of html.matchAll(/name="([^"]*)" value="([^"]*)"/g)) {
    if (credentialNames.has(name)) note(name, value);
  }
}

/** Returns the credentials that a text contains in any form, each with where it was seen. */
export function findCredentials(text: string, credentials: CredentialLog): string[] {
  // Lines of a log repeat most of their parts. No credential contains a quote or looks like ` a=`.
  const parts = [...new Set(text.split(/["\n]| (?=\w+=)/))].join("\n");
  return [...credentials].filter(([value]) => formsOf(value).some((form) => parts.includes(form)))
    .map(([value, name]) => `${name} ${value}`);
}

/** Returns a credential as it is, as base64, URL-encoded, and a JWT by its signature alone. */
export function formsOf(value: string): string[] {
  const [, signature] = /^[\w-]+\.[\w-]+\.([\w-]{20,})$/.exec(value) ?? [];
  const bytes = new TextEncoder().encode(value);
  // The end depends on what follows, and is left out.
  const encoded = base64url.encode(bytes).slice(0, -2);
  const asBase64 = encoded.replaceAll("-", "+").replaceAll("_", "/");
  return [value, encodeURIComponent(value), encoded, asBase64, ...signature ? [signature] : []];
}
