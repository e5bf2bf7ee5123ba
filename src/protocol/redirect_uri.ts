import { isAbsoluteUri } from "../util/uri.ts";

/** Schemes that run something, or read something, where a redirect should only go somewhere. */
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

/** `http` on this very machine, where a native app listens (RFC 8252, section 7.3); the port, and what follows it. */
const loopbackUri = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::(\d{1,5}))?((?:[/?].*)?)$/;

/** Says what is wrong with a redirect URI that is to be registered, or nothing (OAuth 2.1, section 2.3). */
export function redirectUriProblem(uri: string, allowHttp = false): string | undefined {
  if (uri.includes("*")) return "has a wildcard; only exact URIs can be registered";
  if (!isAbsoluteUri(uri)) return "is not an absolute URI";
  const { protocol, hostname, username, password } = new URL(uri);
  if (uri.includes("#")) return "has a fragment";
  if (forbiddenSchemes.includes(protocol)) return `has the scheme '${protocol}'`;
  if (username !== "" || password !== "") return "has user information in it";
  if (/^https?:\/\/[^/]*$/.test(uri)) return "has no path; write at least a slash";
  if (protocol === "https:") return undefined;
  if (protocol === "http:") {
    return allowHttp || readLoopbackUri(uri)
      ? undefined
      : `uses http with the host '${hostname}', which is not loopback`;
  }
  if (!protocol.includes(".")) {
    return `has the private scheme '${protocol}', which is not a reversed domain name`;
  }
  return undefined;
}

/** A URI that only a program on the user's own machine can receive. */
export function isNativeUri(uri: string): boolean {
  return readLoopbackUri(uri) !== undefined || !/^https?:/i.test(uri);
}

/** Who receives what is sent to a redirect URI, in words for a person. */
export function receiverOf(uri: string): string {
  if (readLoopbackUri(uri)) return "a program on this device";
  const { protocol, host } = new URL(uri);
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1);
}

/**
 * Compares character by character (RFC 3986, section 6.2.1). A native app's loopback URI may differ in its port,
 * and in nothing else (OAuth 2.1, section 4.1.1).
 */
export function redirectUriMatches(
  registered: string,
  requested: string,
  native: boolean,
): boolean {
  if (registered === requested) return true;
  if (!native) return false;
  const [one, other] = [readLoopbackUri(registered), readLoopbackUri(requested)];
  return one !== undefined && other !== undefined && one.host === other.host &&
    one.rest === other.rest;
}

function readLoopbackUri(uri: string): { host: string; rest: string } | undefined {
  const [, host, port = "0", rest] = loopbackUri.exec(uri) ?? [];
  return host !== undefined && Number(port) <= 65535 ? { host, rest } : undefined;
}
