import { base64url } from "jose";
import { decodeForm } from "../../server/protocol/form_parameters.ts";
import { maxIdBytes } from "../../server/store/store.ts";
import { encodeUtf8 } from "../../server/util/bytes/encoding.ts";
import { isObject } from "../../server/util/text/json.ts";

/**
 * Returns the client that a request names, whether or not that is true. No client has a longer id
 * than a store can have, and a report about hundreds of longer ones would be a hundred megabytes.
 */
export function clientOf(
  authorization: string | undefined,
  form: URLSearchParams,
  query: URLSearchParams,
): string | undefined {
  const id = basicPair(authorization)?.id ?? form.get("client_id") ?? query.get("client_id") ??
    subjectOf(form.get("client_assertion") ?? "");
  // It is a copy: a part of a text would keep the whole in memory.
  return id && id.length > maxIdBytes
    ? new TextDecoder().decode(encodeUtf8(id).subarray(0, maxIdBytes))
    : id;
}

export function isScheme(authorization: string, scheme: string): boolean {
  return authorization.slice(0, scheme.length + 1).toLowerCase() === `${scheme.toLowerCase()} `;
}

/** Reads a Basic header, as far as it can be decoded, or returns undefined. */
export function basicPair(
  authorization = "",
): { id: string | undefined; secret: string | undefined } | undefined {
  if (!isScheme(authorization, "Basic")) return undefined;
  try {
    const pair = atob(authorization.slice("Basic ".length).trim());
    const colon = pair.indexOf(":");
    if (colon < 0) return { id: decodeForm(pair), secret: undefined };
    return { id: decodeForm(pair.slice(0, colon)), secret: decodeForm(pair.slice(colon + 1)) };
  } catch {
    return undefined;
  }
}

function subjectOf(jwt: string): string | undefined {
  const { sub } = readJwt(jwt)?.claims ?? {};
  return typeof sub === "string" ? sub : undefined;
}

/** The decoded parts of a JWT, not verified. */
export interface DecodedJwt {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
}

/** Decodes a JWT without verifying it; returns undefined for any other text. */
export function readJwt(jwt: string): DecodedJwt | undefined {
  // An error on the way takes longer than the rest of most requests.
  if (!jwt.includes(".")) return undefined;
  try {
    const [header, claims] = jwt.split(".", 2).map((part): unknown =>
      JSON.parse(new TextDecoder().decode(base64url.decode(part)))
    );
    return isObject(header) && isObject(claims) ? { header, claims } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the claims that are texts: parameters that a JWT carries. */
export function textClaims(claims: DecodedJwt["claims"]): Array<[name: string, value: string]> {
  return Object.entries(claims).filter((entry): entry is [string, string] =>
    typeof entry[1] === "string"
  );
}
