import {
  fetchOutbound,
  OutboundError,
  type OutboundFetch,
} from "../../server/http/outbound_fetch.ts";
import { wellKnownPaths } from "../../server/protocol/issuer_url.ts";
import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import { parseJson } from "../../server/util/text/json.ts";
import { explainFailure } from "../doctor/explain_failure.ts";
import { UnavailableError } from "../terminal/unavailable_error.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { type ReadMetadata, readProviderMetadata } from "./provider_metadata.ts";

const limits = { timeout: 10_000, maxBytes: 512 * 1024 };
const wellKnown = "/.well-known/";

/**
 * Fetches the metadata of an issuer, or a metadata document by its URL.
 *
 * @throws {UnavailableError} The issuer does not respond, or has trouble.
 * @throws {UsageError} There is no metadata.
 */
export async function fetchMetadata(
  address: string,
  date: string,
  fetch: OutboundFetch,
): Promise<ReadMetadata> {
  checkAddress(address);
  const urls = metadataUrls(address);
  const refusals: string[] = [];
  for (const url of urls) {
    const { status, text } = await get(url, fetch);
    if (status === 200) return { document: readJson(text, url), url, date };
    if (status >= 500) throw new UnavailableError(`${url} responds with status ${status}.`);
    refusals.push(`${url} responds with status ${status}`);
  }
  throw new UsageError(`There is no metadata: ${refusals.join("; ")}.`);
}

/** What travels over http can be changed on its way. */
function checkAddress(address: string): void {
  const { protocol, hostname } = new URL(address);
  if (protocol === "https:" || isLoopbackHost(hostname)) return;
  throw new UsageError(`${address} must be https: only an issuer on this machine may use http.`);
}

function metadataUrls(address: string): string[] {
  if (address.includes(wellKnown)) return [address];
  const names = ["openid-configuration", "oauth-authorization-server"];
  const [openId, oauth] = names.map((name) => `${address.replace(/\/$/, "")}${wellKnown}${name}`);
  const { origin } = new URL(address);
  const inserted = wellKnownPaths(address, `${wellKnown}oauth-authorization-server`)
    .map((path) => origin + path);
  return [...new Set([openId, oauth, ...inserted].filter((url) => url !== undefined))];
}

async function get(url: string, fetch: OutboundFetch) {
  const request = { method: "GET", headers: { Accept: "application/json" } } as const;
  try {
    return await fetchOutbound(fetch, url, request, limits);
  } catch (cause) {
    if (cause instanceof OutboundError && cause.isFinal) {
      throw new UsageError(`${url} cannot be used: ${cause.message}. No redirect is followed.`);
    }
    throw new UnavailableError(`${url} cannot be reached: ${explainFailure(cause)}.`);
  }
}

function readJson(text: string, url: string) {
  return readProviderMetadata(parseJson(text), `What ${url} responds with`);
}
