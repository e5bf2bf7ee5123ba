import type { Settings } from "../../server/config/settings.ts";
import { createIncomingRequest, type IncomingRequest } from "../../server/http/incoming_request.ts";
import { createRouter } from "../../server/http/router.ts";
import { basePath, pathWithinIssuer } from "../../server/protocol/issuer_url.ts";
import { lazily } from "../../server/util/values/memoize.ts";
import type { LabResponse } from "../core/core_lab.ts";
import { urlAtBase } from "../dialect/played_hosts.ts";
import type { Pipeline } from "../layers/layer.ts";
import type { PendingExchange } from "../layers/pending_exchange.ts";
import {
  droppedResponse,
  type Exchange,
  readWireRequest,
  type SentByLab,
  type WireRequest,
  type WireResponse,
} from "../recording/exchange.ts";
import { identifyRequest } from "../recording/presented_values.ts";
import { createRequestScope } from "../recording/request_scope.ts";
import type { LabParts } from "./lab_parts.ts";
import { pageSender } from "./page_origin.ts";

/** Creates what leads requests through the layers of a lab. */
export function createRequestHandler(parts: LabParts, respond: Pipeline) {
  const pathOf = pathReader(parts);
  return async (
    request: IncomingRequest,
    sentByLab?: SentByLab,
    url = new URL(request.url),
  ): Promise<{ response: LabResponse; exchange?: Exchange | undefined }> => {
    const exchange = await openExchange(parts, request, url, pathOf);
    Object.assign(exchange.labels, sentByLab);
    const response = await respond(exchange);
    return { response: toLabResponse(exchange, response), exchange: exchange.recorded };
  };
}

/** Returns the function that finds the path below the issuer, or below the URL of its dialect. */
export function pathReader(parts: LabParts): (url: URL) => string {
  const [issuer, base] = [basePath(parts.issuer), basePath(parts.base)];
  return ({ pathname }) =>
    pathWithinIssuer(pathname, issuer) ?? pathWithinIssuer(pathname, base) ?? pathname;
}

async function openExchange(
  parts: LabParts,
  serverRequest: IncomingRequest,
  sentTo: URL,
  pathOf: (url: URL) => string,
): Promise<PendingExchange> {
  const { issuer, recorder, timeline } = parts;
  const server = parts.server.current();
  const { settings } = server.context;
  const url = urlAtBase(sentTo, parts.base, parts.config().dialect?.hosts);
  const isTestRoute = hasTestRoute(serverRequest, url, settings);
  const readable = isTestRoute ? await readableCopy(serverRequest) : serverRequest;
  const request = await readWireRequest(readable, url, settings);
  const startMark = lazily(recorder.mark);
  const exchange: PendingExchange = {
    request,
    serverRequest,
    server,
    startMark,
    isTestRoute,
    kind: isProtocolRequest(request) ? "protocol" : isTestRoute ? "route" : "page",
    path: pathOf(url),
    arrival: { senderGroup: pageSender(serverRequest, settings.addresses) },
    ...createRequestScope({
      flowPage: {
        inErrors: parts.config().errorUri !== false,
        url() {
          const pages = parts.pagesUrl();
          return pages === undefined ? undefined : `${pages}/flows/at-${startMark()}`;
        },
      },
    }),
    fired: [],
    labels: { issuer },
    async findFlow() {
      const { request, server: { context } } = exchange;
      return timeline.find(request, await identifyRequest(context, request));
    },
  };
  return exchange;
}

function isProtocolRequest({ path, endpoint }: WireRequest): boolean {
  return endpoint !== undefined || path.startsWith("/oauth2/") || path.startsWith("/.well-known/");
}

function hasTestRoute(
  { method }: IncomingRequest,
  { pathname }: URL,
  { base, routes }: Settings,
): boolean {
  if (routes.length === 0) return false;
  return createRouter(routes)(method, pathWithinIssuer(pathname, base) ?? "").route !== undefined;
}

/** A test's route reads the body with the methods of the request, which work only once. */
async function readableCopy(request: IncomingRequest): Promise<IncomingRequest> {
  const isBodiless = request.method === "GET" || request.method === "HEAD";
  return isBodiless ? request : createIncomingRequest((await request.toRequest()).clone());
}

/** Returns what is sent. A response that no layer changed is sent as it was made. */
function toLabResponse(
  { made, failure }: PendingExchange,
  response: WireResponse,
): LabResponse {
  if (response === made?.read) return made.response;
  if (response !== droppedResponse) return { failure, ...response, body: response.body || null };
  /** The beginning of a JSON body, which then fails. */
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"')),
    // Bun treats a stream that fails in the same task as one that ended.
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve));
      controller.error(new BrokenConnection());
    },
  });
  return {
    status: 200,
    headers: [["Content-Type", "application/json"], ["X-Lab-Fault", "dropped"]],
    body,
    failure: new BrokenConnection(),
  };
}

/** The error of a client that reads a response whose connection the lab closed. */
class BrokenConnection extends TypeError {
  override readonly name = "BrokenConnection";

  constructor() {
    super("The lab closed the connection because of a fault.");
  }
}
