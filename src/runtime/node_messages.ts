import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestHeaders, SentRequest } from "../server/http/incoming_request.ts";
import { listHeaders, type ResponseData } from "../server/http/response_data.ts";
import { parseUrl } from "../server/util/addresses/uri.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Statuses whose responses have no length (RFC 9110, section 8.6). */
const withoutLength = [204, 304];

/** A body that is sent in one piece. */
type WholeBody = Exclude<ResponseData["body"], ReadableStream>;

interface SentWhole extends ResponseData {
  readonly body: WholeBody;
}

export function isWhole(response: ResponseData): response is SentWhole {
  const { body } = response;
  return body === null || typeof body === "string" || body instanceof Uint8Array;
}

export function sendData(
  { status, headers, body }: SentWhole,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const sent: string[] = [];
  for (const [name, value] of headers) sent.push(name, value);
  // The response to HEAD already names the length of the body that it leaves out.
  if (request.method !== "HEAD" && !withoutLength.includes(status)) {
    sent.push("Content-Length", String(lengthOf(body)));
  }
  response.writeHead(status, sent);
  if (body === null) response.end();
  else response.end(body);
}

function lengthOf(body: WholeBody): number {
  if (body === null) return 0;
  return typeof body === "string" ? Buffer.byteLength(body) : body.length;
}

/** A host as the web has it, with or without a port. */
const plausibleHost = /^(?:\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*)(?::\d{1,5})?$/i;

/** A name that no host has, instead of one that would change what the rest of a URL means. */
const impossibleHost = "_invalid_";

/** A request as Node has it, with what endpoints read. */
export class MessageRequest implements SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  #controller: AbortController | undefined;
  #passedOn: Request | undefined;

  constructor(message: IncomingMessage, response: ServerResponse) {
    this.method = message.method ?? "GET";
    this.url = urlOf(message);
    this.headers = headersOf(message);
    this.#message = message;
    this.#response = response;
  }

  get signal(): AbortSignal {
    this.#controller ??= abortedWith(this.#message, this.#response);
    return this.#controller.signal;
  }

  get bodyUsed(): boolean {
    return this.#passedOn?.bodyUsed ?? false;
  }

  get body(): AsyncIterable<Bytes> {
    // A response still follows what is read in part.
    return this.#message.iterator({ destroyOnReturn: false });
  }

  arrayBuffer(): Promise<Bytes> {
    return readMessage(this.#message);
  }

  async toRequest(): Promise<Request> {
    const { NodeRequest } = await import("srvx/node");
    this.#passedOn ??= new NodeRequest({ req: this.#message, res: this.#response });
    return this.#passedOn;
  }
}

/** Returns the URL of a request. Its target is a path, `*`, or a URL (RFC 9112, section 3.2). */
function urlOf({ url: target = "/", headers, socket }: IncomingMessage): string {
  const sent = target.startsWith("/") ? undefined : parseUrl(target);
  const host = sent?.host || headers.host || localHost(socket);
  const scheme = (socket as { encrypted?: boolean }).encrypted ? "https" : "http";
  const origin = `${scheme}://${plausibleHost.test(host) ? host : impossibleHost}`;
  if (sent) return `${origin}${sent.pathname}${sent.search}`;
  return target.startsWith("/") ? origin + target : `${origin}/${target}`;
}

function localHost({ localAddress = "", localPort }: IncomingMessage["socket"]): string {
  return `${localAddress.includes(":") ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/** Reads the headers where Node keeps them: those of the platform are slow to make. */
function headersOf({ headers, rawHeaders }: IncomingMessage): RequestHeaders {
  function get(name: string): string | null {
    const sought = name.toLowerCase();
    if (headers[sought] === undefined) return null;
    const values: string[] = [];
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const { [at]: sent = "", [at + 1]: value = "" } = rawHeaders;
      if (sent.length === sought.length && sent.toLowerCase() === sought) values.push(value);
    }
    return values.length === 0 ? null : values.join(sought === "cookie" ? "; " : ", ");
  }
  return {
    get,
    has: (name) => get(name) !== null,
    [Symbol.iterator]: () => listHeaders(pairsOf(rawHeaders))[Symbol.iterator](),
  };
}

/** Returns what aborts when the client closes the connection before it has the response. */
function abortedWith(message: IncomingMessage, response: ServerResponse): AbortController {
  const controller = new AbortController();
  const onClose = () => response.writableEnded || controller.abort();
  response.once("close", onClose);
  if (response.destroyed || message.destroyed && !message.complete) onClose();
  return controller;
}

function readMessage(message: IncomingMessage): Promise<Bytes> {
  const chunks: Bytes[] = [];
  return new Promise((resolve, reject) => {
    const fail = () => reject(message.errored ?? new Error("The connection was closed."));
    if (message.destroyed || message.readableEnded) return fail();
    message.on("data", (chunk) => chunks.push(chunk));
    message.once("end", () => {
      const [first] = chunks;
      resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks));
    });
    message.once("error", fail);
    // Every message is closed at last, and to make an error takes long.
    message.once("close", () => message.readableEnded || fail());
  });
}

function pairsOf(list: readonly string[]): Array<[name: string, value: string]> {
  const pairs: Array<[string, string]> = [];
  for (let at = 0; at < list.length; at += 2) pairs.push([list[at] ?? "", list[at + 1] ?? ""]);
  return pairs;
}
