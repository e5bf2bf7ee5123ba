import { isObject, parseJson } from "../../../server/util/text/json.ts";
import { TooLongBody } from "./problem.ts";
import type { AugmentedRequest, NodeMessage } from "./types.ts";

/** The longest body that is read, in bytes. */
const maxLength = 1_048_576;

/** Headers about the connection between the client and the listener. */
const ownHeaders = ["connection", "content-length", "host", "keep-alive", "transfer-encoding"];

/** A request for the lab, with the message of Node that it came in. */
export class MessageRequest extends Request {
  /** The message. */
  readonly message: NodeMessage;

  constructor(url: string, init: RequestInit, message: NodeMessage) {
    super(url, init);
    this.message = message;
  }
}

/** Where a request goes in the lab, and what it sends. */
export interface LabTarget {
  /** The address of the lab, which is not that of the listener. */
  origin: string;
  path: string;
  body: string;
  /** Aborts when the client closes the connection. */
  signal: AbortSignal;
}

/** Makes the request for the lab. */
export function toLabRequest(
  message: NodeMessage,
  { origin, path, body, signal }: LabTarget,
): MessageRequest {
  const { method = "GET", url = "/" } = message;
  const hasBody = method !== "GET" && method !== "HEAD";
  const headers = Object.entries(message.headers)
    .filter(([name]) => !ownHeaders.includes(name))
    .map(([name, value]): [string, string] => [name, [value].flat().join(", ")]);
  const target = `${origin}${path}${urlOf(url).search}`;
  return new MessageRequest(
    target,
    { method, headers, signal, ...hasBody && { body } },
    message,
  );
}

/** Reads the body of a message. */
export async function readText(message: NodeMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of message) {
    length += chunk.length;
    if (length > maxLength) throw new TooLongBody("The body is too long.");
    chunks.push(chunk);
  }
  return new TextDecoder().decode(concat(chunks, length));
}

/** Adds the parsed body and query to a message. */
export function augment(message: NodeMessage, text: string): AugmentedRequest {
  const query = valuesOf(urlOf(message.url ?? "/").searchParams);
  return Object.assign(message, { body: parseBody(message, text), query });
}

/** Returns the parsed JSON or form of a message; undefined for any other body. */
export function parseBody(
  { headers }: Pick<NodeMessage, "headers">,
  text: string,
): AugmentedRequest["body"] {
  const type = String(headers["content-type"] ?? "").split(";")[0]?.trim();
  if (type === "application/x-www-form-urlencoded") return valuesOf(new URLSearchParams(text));
  const json = type === "application/json" ? parseJson(text) : undefined;
  return isObject(json) || Array.isArray(json) ? json : undefined;
}

/** Returns parameters as an object; one that occurs several times is a list. */
export function valuesOf(parameters: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length > 1 ? values : values[0] ?? ""];
    }),
  );
}

/** Returns the path of a request target, without a final slash. */
export function pathOf(target: string): string {
  return withoutFinalSlash(urlOf(target).pathname);
}

function urlOf(target: string): URL {
  return URL.canParse(target, "http://localhost")
    ? new URL(target, "http://localhost")
    : new URL("http://localhost/");
}

function withoutFinalSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
