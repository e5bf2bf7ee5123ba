import { OutboundError } from "../../http/outbound_fetch.ts";
import type { Context } from "../../issuer/context.ts";
import { fetchJson, type OutboundDependencies } from "../../issuer/outbound_requests.ts";
import { serverPart } from "../../issuer/part_of.ts";
import { fromNow } from "../../issuer/time.ts";
import { isObject } from "../../util/text/json.ts";
import { hour, minute } from "../../util/time/duration.ts";

/** Where an issuer publishes its keys, as its metadata says. */
interface KeySetUrl {
  /** Pending during the fetch, so that concurrent requests wait for one response. */
  url: Promise<string>;
  /** In milliseconds. A failure is remembered for a minute. */
  freshUntil: number;
}

/** Where the configured issuers publish their keys. */
const keySetUrls = serverPart(() => new Map<string, KeySetUrl>());

/** Finds where an issuer publishes its keys (OpenID Connect Discovery, section 4). */
export async function findKeySetUrl(ctx: Context, issuer: string): Promise<string> {
  const cached = keySetUrls(ctx).get(issuer);
  if (cached && cached.freshUntil > ctx.now()) return await cached.url;
  const fetched = { url: fetchKeySetUrl(ctx, issuer), freshUntil: fromNow(ctx, 1 * minute) };
  keySetUrls(ctx).set(issuer, fetched);
  const url = await fetched.url;
  fetched.freshUntil = fromNow(ctx, 1 * hour);
  return url;
}

async function fetchKeySetUrl(ctx: OutboundDependencies, issuer: string): Promise<string> {
  const { document } = await fetchJson(ctx, {
    purpose: "issuer metadata",
    url: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
    trusted: true,
  });
  const { issuer: named, jwks_uri: url } = isObject(document) ? document : {};
  if (named !== issuer) throw unusable("its metadata names another issuer");
  // An issuer that has https does not publish its keys without it.
  const isUsable = typeof url === "string" && URL.canParse(url) &&
    (url.startsWith("https:") || issuer.startsWith("http:"));
  if (!isUsable) throw unusable("its metadata has no 'jwks_uri' with https");
  return url;
}

function unusable(problem: string): OutboundError {
  return new OutboundError(problem, { isFinal: true, isAnswered: true });
}
