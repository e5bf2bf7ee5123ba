import { isAbsoluteUri } from "./uri.ts";

/** Schemes that run something, or read something, where a redirect should only go somewhere. */
const forbiddenSchemes = ["javascript:", "data:", "file:", "blob:", "vbscript:", "about:", "ws:", "wss:", "ftp:"];

const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::(\d{1,5}))?(?=[/?]|$)/;

/** Says what is wrong with a redirect URI that somebody wants to register, or nothing (OAuth 2.1, section 2.3). */
export function redirectUriProblem(uri: string): string | undefined {
  if (!isAbsoluteUri(uri)) return "is not an absolute URI";
  const { protocol, hostname, username, password } = new URL(uri);
  if (uri.includes("#")) return "has a fragment";
  if (uri.includes("*")) return "has a wildcard; only exact URIs can be registered";
  if (forbiddenSchemes.includes(protocol)) return `has the scheme '${protocol}'`;
  if (username !== "" || password !== "") return "has user information in it";
  if (protocol === "https:") return undefined;
  if (protocol === "http:") return isLoopbackUri(uri) ? undefined : `uses http with the host '${hostname}', which is not loopback`;
  if (!protocol.includes(".")) return `has the private scheme '${protocol}', which is not a reversed domain name`;
  return undefined;
}

/** `http` on this very machine, where a native app listens (RFC 8252, section 7.3). */
export function isLoopbackUri(uri: string): boolean {
  const [, , port] = loopback.exec(uri) ?? [];
  return loopback.test(uri) && Number(port ?? 0) <= 65535;
}

/** A URI that only a program on the user's own machine can receive. */
export function isNativeUri(uri: string): boolean {
  return isLoopbackUri(uri) || !/^https?:/i.test(uri);
}

/**
 * Compares character by character (RFC 3986, section 6.2.1). A native app's loopback URI may differ in its port,
 * and in nothing else (OAuth 2.1, section 4.1.1).
 */
export function redirectUriMatches(registered: string, requested: string, native: boolean): boolean {
  if (registered === requested) return true;
  if (!native || !isLoopbackUri(registered) || !isLoopbackUri(requested)) return false;
  return withoutPort(registered) === withoutPort(requested);
}

function withoutPort(uri: string): string {
  return uri.replace(loopback, "$1");
}
