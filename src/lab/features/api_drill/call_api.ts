import type { OutboundFetch } from "../../../server/http/outbound_fetch.ts";
import { readStream } from "../../../server/util/bytes/read_stream.ts";
import { explainFailure } from "../../../server/util/text/explain_failure.ts";
import { withTimeout } from "../../../server/util/time/promises.ts";
import { LabError } from "../../util/lab_error.ts";
import type { ApiHandler } from "./api_drill_tools.ts";

const timeout = 10_000;
const maxBytes = 1024 * 1024;

/** A request as it goes to an API. */
export interface SentToApi {
  url: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string | undefined;
}

export interface ApiResponse {
  /** The status; 0 if the API closed the connection without a response. */
  status: number;
  headers: Headers;
  text: string;
  /** How long it took, in milliseconds. */
  took: number;
  /** Why there is none. */
  problem?: string | undefined;
}

/** Whether an API did what a request asked for. */
export function isAccepted({ status }: Pick<ApiResponse, "status">): boolean {
  return status >= 200 && status < 300;
}

/** Sends one request to an API. It follows no redirect. */
export type CallApi = (request: SentToApi) => Promise<ApiResponse>;

/** Returns what sends requests to an API: a function of a test, or a URL. */
export function createApiCaller(target: string | ApiHandler, fetch: OutboundFetch): CallApi {
  const respond = typeof target === "string"
    ? sendTo(fetch)
    : async ({ url, ...init }: SentToApi) => await target(new Request(url, init as RequestInit));
  return async (request) => {
    const began = performance.now();
    const response = await withTimeout(timeout, read(respond, request), late(request.url))
      .catch((cause) => failed(cause));
    return { ...response, took: performance.now() - began };
  };
}

function sendTo(fetch: OutboundFetch) {
  return async ({ url, body, ...init }: SentToApi): Promise<Response> => {
    const signal = AbortSignal.timeout(timeout);
    const sent = {
      ...init,
      ...body !== undefined && { body },
      redirect: "manual",
      signal,
    } as const;
    return await fetch(url, sent);
  };
}

async function read(respond: (request: SentToApi) => Promise<Response>, request: SentToApi) {
  const { status, headers, body } = await respond(request);
  const tooLarge = () => new LabError(`The response of ${request.url} is larger than 1 MB.`);
  return { status, headers, text: await readStream(body, maxBytes, tooLarge) };
}

function late(url: string): () => LabError {
  return () => new LabError(`${url} did not respond within ${timeout / 1000} seconds.`);
}

/** An API may close a connection; one that is too slow or too talkative proves nothing. */
function failed(cause: unknown) {
  if (cause instanceof LabError) throw cause;
  return { status: 0, headers: new Headers(), text: "", problem: explainFailure(cause) };
}
