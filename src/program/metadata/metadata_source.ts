import { isObject, parseJson } from "../../server/util/text/json.ts";
import { readTextFile } from "../configuration/program_config.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { fetchMetadata, type ProviderNetwork } from "./fetch_metadata.ts";
import { isAddress, type ReadMetadata, readProviderMetadata } from "./provider_metadata.ts";

/** The largest file that is read, in characters: recordings of browsers contain whole pages. */
const maxFileLength = 64 * 1024 * 1024;

/** What a user names: the metadata of a provider, or a recording of its requests. */
export type ProviderSource =
  | { kind: "metadata"; metadata: ReadMetadata }
  | { kind: "recording"; har: Readonly<Record<string, unknown>>; file: string };

/** Reads what an operand names: an issuer, a file with metadata, or a HAR. */
export async function readProviderSource(
  operand: string,
  date: string,
  network: ProviderNetwork,
): Promise<ProviderSource> {
  if (isAddress(operand)) {
    return { kind: "metadata", metadata: await fetchMetadata(operand, date, network) };
  }
  const content = await readOperand(operand);
  if (isRecording(content)) return { kind: "recording", har: content, file: operand };
  return { kind: "metadata", metadata: readStoredMetadata(content, operand, date) };
}

/** Reads a file with a HAR. */
export async function readRecording(file: string): Promise<Readonly<Record<string, unknown>>> {
  const content = await readJsonFile(file);
  if (isRecording(content)) return content;
  throw new UsageError(`The file ${file} is not a HAR: it has no list of entries in 'log'.`);
}

/** An operand without "https://" is a file, although an issuer may have been meant. */
async function readOperand(operand: string): Promise<unknown> {
  try {
    return await readJsonFile(operand);
  } catch (cause) {
    if (!(cause instanceof UsageError) || /\.(?:json|har)$/i.test(operand)) throw cause;
    const message = cause.message.replace(/\.$/, "");
    throw new UsageError(`${message}. If it is an issuer, begin with https:// or http://.`);
  }
}

async function readJsonFile(file: string): Promise<unknown> {
  const text = await readTextFile(file);
  if (text.length > maxFileLength) throw new UsageError(`The file ${file} is larger than 64 MB.`);
  const content = parseJson(text);
  if (content === undefined) throw new UsageError(`The file ${file} is not JSON.`);
  return content;
}

function isRecording(content: unknown): content is Record<string, unknown> {
  return isObject(content) && isObject(content.log) && Array.isArray(content.log.entries);
}

/** A stored copy may say where and when it was read: `{ "source", "date", "document" }`. */
export function readStoredMetadata(content: unknown, file: string, today: string): ReadMetadata {
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
