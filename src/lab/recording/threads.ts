import { interactionIdAt } from "../../config/endpoint_paths.ts";
import type { EndpointPaths } from "../../config/paths_config.ts";
import { basePath, pathWithinIssuer } from "../../protocol/issuer_url.ts";
import { readUserCode } from "../../protocol/user_code.ts";
import { readJwt } from "./credentials.ts";
import { headerOf, tokenOf, type WireRequest, type WireResponse } from "./exchange.ts";
import type { WireCallback } from "./wire_callback.ts";

/** Where the pages of a server are. */
export interface OwnAddresses {
  issuer: string;
  paths: EndpointPaths;
}

/** A response, read once. */
export interface ReadResponse {
  callback: WireCallback | undefined;
  json: Record<string, unknown>;
}

/** Returns the threads that a request takes up. */
export function threadsOf(request: WireRequest, { paths }: OwnAddresses): string[] {
  const { path, endpoint, query, form } = request;
  const parameter = (name: string) => form.get(name) ?? query.get(name) ?? undefined;
  return toThreads([
    ["interaction", interactionIdAt(paths, path)],
    ["user code", readUserCode(parameter("user_code") ?? "")],
    // At other endpoints, the hint does not continue the flow that it comes from.
    ["token", endpoint === "logout" ? parameter("id_token_hint") : undefined],
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
  addresses: OwnAddresses,
): string[] {
  const location = response && !callback ? headerOf(response, "Location") : undefined;
  return toThreads([
    ["interaction", interactionIdIn(location, addresses)],
    ["code", memberOf(callback, "code") ?? signedCodeIn(memberOf(callback, "response"))],
    ["token", json.access_token],
    ["token", json.refresh_token],
    ["token", json.id_token],
    ["user code", typeof json.user_code === "string" ? readUserCode(json.user_code) : undefined],
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

function interactionIdIn(
  location: string | undefined,
  { issuer, paths }: OwnAddresses,
): string | undefined {
  if (location === undefined || !URL.canParse(location, issuer)) return undefined;
  const { origin, pathname } = new URL(location, issuer);
  if (origin !== new URL(issuer).origin) return undefined;
  return interactionIdAt(paths, pathWithinIssuer(pathname, basePath(issuer)) ?? "");
}

/** Returns a parameter of an authorization response. */
export function memberOf(callback: WireCallback | undefined, name: string): string | undefined {
  return callback?.members.find(([each]) => each === name)?.[1];
}
