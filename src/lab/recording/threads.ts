import { basePath, pathWithinIssuer } from "../../protocol/issuer_url.ts";
import { readJwt } from "./credentials.ts";
import { headerOf, tokenOf, type WireRequest, type WireResponse } from "./exchange.ts";
import type { WireCallback } from "./wire_callback.ts";

/** A response, read once. */
export interface ReadResponse {
  callback: WireCallback | undefined;
  json: Record<string, unknown>;
}

/** Returns the threads that a request takes up. */
export function threadsOf(request: WireRequest): string[] {
  const { path, query, form } = request;
  return toThreads([
    ...pathThread(path.split("/")),
    ["request", query.get("request_uri")],
    ["code", form.get("code")],
    ["device", form.get("device_code")],
    ["token", form.get("refresh_token")],
    ["token", form.get("subject_token")],
    ["token", form.get("token")],
    ["token", tokenOf(request)],
  ]);
}

/** Returns the threads that a response hands out. */
export function threadsFrom(
  response: WireResponse | undefined,
  { callback, json }: ReadResponse,
  issuer: string,
): string[] {
  const location = response && !callback ? headerOf(response, "Location") : undefined;
  return toThreads([
    ...pathThread(pathOf(location, issuer)),
    ["code", memberOf(callback, "code") ?? signedCodeIn(memberOf(callback, "response"))],
    ["token", json.access_token],
    ["token", json.refresh_token],
    ["request", json.request_uri],
    ["device", json.device_code],
  ]);
}

/** Returns the code in a signed response (JARM). */
export function signedCodeIn(response: string | undefined): unknown {
  return response === undefined ? undefined : readJwt(response)?.claims.code;
}

function toThreads(pairs: ReadonlyArray<readonly [kind: string, value: unknown]>): string[] {
  return pairs
    .filter(([, value]) => typeof value === "string" && value !== "")
    .map(([kind, value]) => `${kind}:${value}`);
}

/** Returns the thread of a pending request: /oauth2/interaction/ID, or /oauth2/authorize/HANDLE. */
function pathThread([, , kind, id]: string[]): Array<[kind: string, id: string | undefined]> {
  return kind === "interaction" || kind === "authorize" ? [[kind, id]] : [];
}

function pathOf(location: string | undefined, issuer: string): string[] {
  if (location === undefined || !URL.canParse(location, issuer)) return [];
  const { origin, pathname } = new URL(location, issuer);
  if (origin !== new URL(issuer).origin) return [];
  return pathWithinIssuer(pathname, basePath(issuer))?.split("/") ?? [];
}

/** Returns a parameter of an authorization response. */
export function memberOf(callback: WireCallback | undefined, name: string): string | undefined {
  return callback?.members.find(([each]) => each === name)?.[1];
}
