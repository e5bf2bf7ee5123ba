import type { Claims } from "../../../../server/model/claims.ts";
import { isObject } from "../../../../server/util/text/json.ts";
import { hour } from "../../../../server/util/time/duration.ts";
import { fill, type SourceCall, sources } from "../source.ts";

const { entries = {} } = sources.google;

/** Responds as the metadata service of a virtual machine, in JSON or with a text. */
export async function respondAsGoogle(call: SourceCall): Promise<Claims | string> {
  const { request: { path, headers, query }, claims, must } = call;
  must(headers["metadata-flavor"] === "Google", "header");
  must(headers["x-forwarded-for"] === undefined, "proxied");
  const isRecursive = query.get("recursive")?.toLowerCase() === "true";
  const entry = path.replace(/^\/(computeMetadata\/v1\/)?/, "")
    .replace(`service-accounts/${claims.email}/`, "service-accounts/default/") +
    (isRecursive ? "?recursive=true" : "");
  if (entry.endsWith("/default/identity")) return await identityToken(call);
  if (entry.endsWith("/default/token")) {
    const access_token = `ya29.${call.randomText()}`;
    return { access_token, expires_in: 3599, token_type: "Bearer" };
  }
  must(Object.hasOwn(entries, entry), "path");
  const value = fill(entries[entry] ?? "", { ...engineOf(claims), email: claims.email });
  return isRecursive ? JSON.parse(value) : value;
}

/** Signs an identity token. Only the format `full` describes the account and the instance. */
async function identityToken({ request: { query }, claims, now, sign, must }: SourceCall) {
  const aud = query.get("audience");
  must(Boolean(aud), "audience");
  const format = query.get("format") ?? "standard";
  must(format === "standard" || format === "full", "format");
  const licenses = query.get("licenses")?.toUpperCase() === "TRUE" && { license_id: ["1000204"] };
  const shown = format === "full"
    ? { google: { compute_engine: { ...engineOf(claims), ...licenses } } }
    : { google: undefined, email: undefined, email_verified: undefined };
  return (await sign({ ...shown, aud, iat: now }, 1 * hour)).jwt;
}

function engineOf({ google }: Claims): Claims {
  return isObject(google) && isObject(google.compute_engine) ? google.compute_engine : {};
}
