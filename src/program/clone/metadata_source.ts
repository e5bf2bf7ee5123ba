import type { OutboundFetch } from "../../server/http/outbound_fetch.ts";
import { isObject, parseJson } from "../../server/util/text/json.ts";
import { readTextFile } from "../configuration/program_config.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { fetchMetadata } from "./fetch_metadata.ts";
import { isAddress, type ReadMetadata, readProviderMetadata } from "./provider_metadata.ts";

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
