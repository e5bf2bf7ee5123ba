import {
  type Exchange,
  headerOf,
  type WireRequest,
  type WireResponse,
} from "../recording/exchange.ts";

/** A header, cookie or parameter of an archive. */
interface HarPair {
  name: string;
  value: string;
}

/** What a size or a time is when it is not known (HAR 1.2). */
const unknown = -1;

/**
 * Exports exchanges as an HTTP archive (HAR 1.2), which the network panels of browsers can import.
 */
export function toHar(exchanges: readonly Exchange[]): Record<string, unknown> {
  const creator = { name: "Hallpass", version: "lab" };
  return { log: { version: "1.2", creator, entries: exchanges.map(toEntry) } };
}

function toEntry({ id, at, request, response, faults }: Exchange): Record<string, unknown> {
  return {
    startedDateTime: new Date(at).toISOString(),
    time: 0,
    request: harRequest(request),
    response: harResponse(response),
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    comment: [`request ${id}`, ...faults.map((fault) => `fault ${fault}`)].join(", "),
  };
}

function harRequest({ method, url, headers, query, body }: WireRequest): Record<string, unknown> {
  const mimeType = headers["content-type"] ?? "";
  return {
    method,
    url,
    httpVersion: "HTTP/1.1",
    cookies: cookiesIn(headers.cookie ?? ""),
    headers: toPairs(Object.entries(headers)),
    queryString: toPairs([...query]),
    ...body !== "" && { postData: { mimeType, text: body } },
    headersSize: unknown,
    bodySize: byteLength(body),
  };
}

/** A connection that was closed has the status 0, as in browsers. */
function harResponse(response: WireResponse | undefined): Record<string, unknown> {
  const { status, headers, body } = response ?? { status: 0, headers: [], body: "" };
  const mimeType = response && headerOf(response, "Content-Type") || "";
  return {
    status,
    statusText: "",
    httpVersion: "HTTP/1.1",
    cookies: headers
      .filter(([name]) => name.toLowerCase() === "set-cookie")
      .flatMap(([, value]) => cookiesIn(value.split(";", 1).join())),
    headers: toPairs(headers),
    content: { size: byteLength(body), mimeType, text: body },
    redirectURL: response && headerOf(response, "Location") || "",
    headersSize: unknown,
    bodySize: byteLength(body),
  };
}

function cookiesIn(header: string): HarPair[] {
  return header.split(";").map((pair) => pair.trim()).filter(Boolean).map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return { name, value: value.join("=") };
  });
}

function toPairs(pairs: ReadonlyArray<readonly [name: string, value: string]>): HarPair[] {
  return pairs.map(([name, value]) => ({ name, value }));
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
