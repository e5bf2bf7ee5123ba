import {
  fetchOutbound,
  OutboundError,
  type OutboundFetch,
} from "../../server/http/outbound_fetch.ts";
import { wellKnownPaths } from "../../server/protocol/issuer_url.ts";
import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import { isObject, parseJson } from "../../server/util/text/json.ts";
import { readTextFile } from "../configuration/program_config.ts";
import { explainFailure } from "../doctor/explain_failure.ts";
import { UnavailableError, UsageError } from "../terminal/exit_code.ts";
import { isAddress, type ReadMetadata, readProviderMetadata } from "./provider_metadata.ts";

const limits = { timeout: 10_000, maxBytes: 512 * 1024 };
const wellKnown = "/.well-known/";

/** Reads the metadata that an operand names: of an issuer, or in a file. */
export async function readMetadata(
  operand: string,
  date: string,
  fetch: OutboundFetch,
): Promise<ReadMetadata> {
  if (isAddress(operand)) return await fetchMetadata(operand, date, fetch);
  return readStoredMetadata(await readOperand(operand), operand, date);
}

/** An operand without "https://" is a file, although an issuer may have been meant. */
async function readOperand(operand: string): Promise<unknown> {
  try {
    return await readJsonFile(operand);
  } catch (cause) {
    if (!(cause instanceof UsageError) || operand.toLowerCase().endsWith(".json")) throw cause;
    const message = cause.message.replace(/\.$/, "");
    throw new UsageError(`${message}. If it is an issuer, begin with https:// or http://.`);
  }
}

async function readJsonFile(file: string): Promise<unknown> {
  const content = parseJson(await readTextFile(file));
  if (content === undefined) throw new UsageError(`The file ${file} is not JSON.`);
  return content;
}

/** A stored copy may say where and when it was read: `{ "source", "date", "document" }`. */
function readStoredMetadata(content: unknown, file: string, today: string): ReadMetadata {
  const { source, date, document } = isObject(content) ? content : {};
  const place = `The file ${file}`;
  if (document === undefined) {
    return { document: readProviderMetadata(content, place), url: undefined, date: today };
  }
  const [url] = /^https?:\/\/(?![^/?#]*@)[^\s,]+/.exec(String(source)) ?? [];
  return {
    document: readProviderMetadata(document, place),
    url,
    date: typeof date === "string" ? date : today,
  };
}

/**
 * Fetches the metadata of an issuer, or a metadata document by its URL.
 *
 * @throws {UnavailableError} The issuer does not respond, or has trouble.
 * @throws {UsageError} There is no metadata.
 */
async function fetchMetadata(
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
