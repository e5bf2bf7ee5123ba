import type { OutboundFetch } from "../../../server/http/outbound_fetch.ts";
import { readStream } from "../../../server/util/bytes/read_stream.ts";
import { explainFailure } from "../../../server/util/text/explain_failure.ts";
import { LabError } from "../../util/lab_error.ts";
import type { Waits } from "../../util/waits.ts";
import { isDisturbance } from "../verdicts/controls.ts";
import { createResponseTimes } from "../verdicts/response_times.ts";
import type { ApiHandler } from "./api_drill_tools.ts";

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
  /** Whether it took too long. */
  isLate?: boolean;
  /** Whether the request was sent twice, as the first response, or none, came by chance. */
  isSecond?: boolean;
  /** Whether it is what the API shows to anyone, while a user sees something else. */
  isPublic?: boolean;
}

/** Whether an API did what a request asked for. */
export function isAccepted(
  { status, isPublic = false }: Pick<ApiResponse, "status" | "isPublic">,
): boolean {
  return status >= 200 && status < 300 && !isPublic;
}

/**
 * Sends a request to an API. It follows no redirect. What came by an outage, a limit or load need not
 * come again: then the request is made and sent a second time.
 */
export type CallApi = (make: () => SentToApi | Promise<SentToApi>) => Promise<ApiResponse>;

/** Returns what sends requests to an API: a function of a test, or a URL. */
export function createApiCaller(
  target: string | ApiHandler,
  fetch: OutboundFetch,
  waits: Pick<Waits, "now" | "within">,
): CallApi {
  const times = createResponseTimes();
  const respond = typeof target === "string"
    ? async ({ url, body, ...init }: SentToApi, signal: AbortSignal) =>
      await fetch(url, { ...init, ...body !== undefined && { body }, redirect: "manual", signal })
    : async ({ url, ...init }: SentToApi) => await target(new Request(url, init as RequestInit));
  async function callOnce(request: SentToApi): Promise<ApiResponse> {
    const tooLarge = () => new LabError(`The response of ${request.url} is larger than 1 MB.`);
    times.begin();
    const [began, limit] = [waits.now(), times.limit()];
    const controller = new AbortController();
    const reading = respond(request, controller.signal).then(async ({ status, headers, body }) => {
      return { status, headers, text: await readStream(body, maxBytes, tooLarge) };
    });
    const response = await waits.within(limit, reading.catch(failed));
    const took = waits.now() - began;
    if (response) times.add(took);
    else controller.abort();
    const problem = `it did not respond within ${Math.round(limit / 1000)} seconds`;
    return response ? { ...response, took } : { ...noResponse(problem), took, isLate: true };
  }
  return async (make) => {
    const first = await callOnce(await make());
    if (first.status !== 0 && !isDisturbance(first.status)) return first;
    return { ...await callOnce(await make()), isSecond: true };
  };
}

/** An API may close a connection; one that is too talkative proves nothing. */
function failed(cause: unknown) {
  if (cause instanceof LabError) throw cause;
  return noResponse(explainFailure(cause));
}

function noResponse(problem: string) {
  return { status: 0, headers: new Headers(), text: "", problem };
}
