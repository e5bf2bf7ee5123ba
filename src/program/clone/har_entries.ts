import { parseUrl } from "../../server/util/addresses/uri.ts";
import { isObject, parseJson } from "../../server/util/text/json.ts";

/** A request of a recording with its response. It holds secrets, and is never written. */
export interface HarRequest {
  method: string;
  url: URL;
  /** The parameters of the body. */
  form: URLSearchParams;
  hasBearer: boolean;
  status: number;
  /** The URL of a redirect, absolute. */
  location: URL | undefined;
  /** The members of a response that is JSON or a form. */
  members: Readonly<Record<string, unknown>>;
  isForm: boolean;
}

/** Most recordings have some hundreds of requests. */
const maxEntries = 20_000;

/** Returns the requests of a HAR that have a URL. */
export function readHarEntries(har: Readonly<Record<string, unknown>>): HarRequest[] {
  const { entries } = isObject(har.log) ? har.log : {};
  if (!Array.isArray(entries)) return [];
  return entries.slice(0, maxEntries).flatMap((entry) => readEntry(entry) ?? []);
}

function readEntry(entry: unknown): HarRequest | undefined {
  const { request, response } = isObject(entry) ? entry : {};
  if (!isObject(request) || !isObject(response)) return undefined;
  const url = parseUrl(textOrEmpty(request.url));
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const { text, type } = readContent(response.content);
  const isForm = /x-www-form-urlencoded/i.test(type);
  return {
    method: textOrEmpty(request.method).toUpperCase(),
    url,
    form: readForm(request.postData),
    hasBearer: /^bearer\s/i.test(headerOf(request, "authorization")),
    status: Number(response.status) || 0,
    location: readLocation(response, url),
    members: isForm ? Object.fromEntries(new URLSearchParams(text)) : readMembers(text),
    isForm,
  };
}

function readLocation(response: Readonly<Record<string, unknown>>, url: URL): URL | undefined {
  const text = headerOf(response, "location") || textOrEmpty(response.redirectURL);
  if (text === "") return undefined;
  return URL.canParse(text, url) ? new URL(text, url) : undefined;
}

/** The parameters of a form are in the text, or in a list, or in JSON. */
function readForm(data: unknown): URLSearchParams {
  const { text, params } = isObject(data) ? data : {};
  const json = readMembers(textOrEmpty(text));
  if (Object.keys(json).length > 0) {
    return new URLSearchParams(Object.entries(json).map(([name, value]) => [name, String(value)]));
  }
  if (typeof text === "string" && text !== "") return new URLSearchParams(text);
  const pairs = Array.isArray(params) ? params.filter(isObject) : [];
  return new URLSearchParams(
    pairs.map(({ name, value }) => [textOrEmpty(name), textOrEmpty(value)]),
  );
}

function readContent(content: unknown): { text: string; type: string } {
  const { text, encoding, mimeType } = isObject(content) ? content : {};
  const isEncoded = encoding === "base64";
  return {
    text: isEncoded ? decodeBase64(textOrEmpty(text)) : textOrEmpty(text),
    type: textOrEmpty(mimeType),
  };
}

function decodeBase64(text: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)));
  } catch {
    return "";
  }
}

function readMembers(text: string): Record<string, unknown> {
  const value = text.trimStart().startsWith("{") ? parseJson(text) : undefined;
  return isObject(value) ? value : {};
}

function headerOf({ headers }: Readonly<Record<string, unknown>>, name: string): string {
  const pairs = Array.isArray(headers) ? headers.filter(isObject) : [];
  const found = pairs.find((pair) => textOrEmpty(pair.name).toLowerCase() === name);
  return textOrEmpty(found?.value);
}

function textOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}
