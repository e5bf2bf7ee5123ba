import type { Client } from "../model/client.ts";
import { hasUserInformation, isBelowLocalhost, parseAbsoluteUri } from "../util/addresses/uri.ts";

/** Schemes that run or read something, where a redirect should only navigate. */
const forbiddenSchemes = [
  "javascript:",
  "data:",
  "file:",
  "blob:",
  "vbscript:",
  "about:",
  "ws:",
  "wss:",
  "ftp:",
];

/** A URI of a native app on this machine (RFC 8252, section 7.3): origin, port, rest. */
const loopbackUri = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::(\d{1,5}))?((?:[/?].*)?)$/;

const maxPort = 65535;

/**
 * Returns why a redirect URI cannot be registered, or undefined (OAuth 2.1, section 2.3). A path
 * may be empty (RFC 3986, section 3.3): `http://localhost:3000` is a URI, other than the one with a
 * slash.
 */
export function redirectUriProblem(uri: string, allowHttp = false): string | undefined {
  if (uri.includes("*")) return "contains a wildcard; only exact URIs can be registered";
  const url = parseAbsoluteUri(uri);
  if (!url) return "is not an absolute URI";
  const { protocol, hostname } = url;
  if (uri.includes("#")) return "has a fragment";
  if (forbiddenSchemes.includes(protocol)) return `has the forbidden scheme '${protocol}'`;
  if (hasUserInformation(uri)) return "contains user information";
  if (protocol === "https:") return undefined;
  if (protocol === "http:") {
    if (allowHttp || readLoopbackUri(uri) || isBelowLocalhost(hostname)) return undefined;
    return `uses http with the host '${hostname}', which is not loopback`;
  }
  if (!protocol.includes(".")) {
    return `has the private scheme '${protocol}', which is not a reversed domain name`;
  }
  return undefined;
}

/** Returns why the URI of a page or an endpoint of a client is invalid, or undefined. */
export function webUriProblem(uri: string, allowHttp = false): string | undefined {
  const problem = redirectUriProblem(uri, allowHttp);
  if (problem) return problem;
  return /^https?:/i.test(uri) ? undefined : "is not an https URL";
}

/** Whether only a program on the user's own machine can receive a URI. */
export function isNativeUri(uri: string): boolean {
  return readLoopbackUri(uri) !== undefined || !/^https?:/i.test(uri);
}

/** Whether no one owns the host of a URI: any program may use http below `localhost`. */
export function isUnownedUri(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === "http:" && isBelowLocalhost(hostname);
}

/** Describes for a user who receives what is sent to a redirect URI. */
export function describeReceiver(uri: string): string {
  if (readLoopbackUri(uri) || isUnownedUri(uri)) return "a program on this device";
  const { protocol, host } = new URL(uri);
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1);
}

export function isRegistered({ redirectUris, native }: Client, requested: string): boolean {
  return redirectUris.some((registered) => redirectUriMatches(registered, requested, native));
}

/**
 * Whether a requested redirect URI matches a registered one, character by character (RFC 3986,
 * section 6.2.1). Only the port of a native app's loopback URI may differ (OAuth 2.1, section
 * 4.1.1).
 */
export function redirectUriMatches(
  registered: string,
  requested: string,
  native: boolean,
): boolean {
  if (registered === requested) return true;
  if (!native) return false;
  const [one, other] = [readLoopbackUri(registered), readLoopbackUri(requested)];
  return one !== undefined && one.origin === other?.origin && one.rest === other.rest;
}

function readLoopbackUri(uri: string): { origin: string; rest: string } | undefined {
  const [, origin, port = "0", rest = ""] = loopbackUri.exec(uri) ?? [];
  if (origin === undefined || Number(port) > maxPort) return undefined;
  return { origin, rest };
}
