import { createApplication } from "../../server/http/application.ts";
import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import { jsonResponse } from "../../server/http/response.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import { pathWithinIssuer } from "../../server/protocol/issuer_url.ts";
import { errorBody, OAuthError } from "../../server/protocol/oauth_error.ts";
import { parseUrl } from "../../server/util/addresses/uri.ts";
import { isControl } from "../control/control_path.ts";
import type { LabResponse } from "../core/core_lab.ts";
import { playedHosts } from "../dialect/played_hosts.ts";
import type { Pipeline, RequestLayers } from "../layers/layer.ts";
import type { Exchange, SentByLab } from "../recording/exchange.ts";
import { describeAddresses, isOwnHost } from "../util/own_addresses.ts";
import type { LabParts } from "./lab_parts.ts";
import { createRequestHandler, pathReader } from "./request_handler.ts";

/** What responds with the pages of a lab, and with its interface over HTTP. */
export interface PageHandlers {
  /** Responds to a request for the interface over HTTP. */
  control(request: IncomingRequest, path: string): Promise<ResponseData>;
  /** Responds with a page of the lab that is next to those of the server, if there is one. */
  front(request: IncomingRequest, path: string): Promise<ResponseData | undefined> | undefined;
}

interface DispatchOptions extends PageHandlers {
  /** What responds to the requests that are for no page of the lab. */
  pipeline: Pipeline;
  layers: readonly RequestLayers[];
  /** Whether only a separate port serves the interface over HTTP. */
  controlApart: boolean;
  /** The path above that interface. */
  controlBase: string;
}

/** Leads a request to a tenant, to the lab's interface over HTTP, or to the server. */
export function createDispatcher(parts: LabParts, options: DispatchOptions) {
  const { server, tenants } = parts;
  const pathOf = pathReader(parts);
  const handle = createRequestHandler(parts, options.pipeline);

  async function respond(request: IncomingRequest): Promise<LabResponse> {
    await server.settled();
    const url = parseUrl(request.url);
    if (!url) return await server.current().respond(request);
    const tenant = tenants.ofUrl(url);
    if (tenant) return await tenant.respond(request);
    // Such a host leads to the endpoints of its issuer, and to nothing else.
    if (tenants.hasHost(url.hostname)) return wrongHostResponse(parts, request, url);
    const isPlayed = playedHosts(parts.config().dialect?.hosts).includes(url.hostname);
    const isControlApart = options.controlApart || isPlayed;
    const controlled = isControlApart ? undefined : tenants.ofControlPath(url.pathname);
    if (controlled) return await controlled.control.respond(request);
    const path = pathOf(url);
    if (isControl(path)) {
      if (!isControlApart) return await options.control(request, path);
      const interfaceUrl = parts.pagesUrl();
      // The interface of a tenant would be here if the test had chosen no issuer.
      if (interfaceUrl !== undefined) {
        const description = `The lab of this issuer is at ${interfaceUrl}.`;
        return errorResponse(new OAuthError("not_found", description));
      }
    }
    const { addresses } = server.current().context.settings;
    const isOwn = isPlayed || isOwnHost(url.hostname, addresses);
    if (!isOwn) return wrongHostResponse(parts, request, url);
    const isClaimed = options.layers.some((each) => each.claims?.(request, path));
    const page = isClaimed ? undefined : options.front(request, path);
    return await page ?? (await handle(request, undefined, url)).response;
  }

  async function recordExchange(
    request: IncomingRequest,
    sentByLab: SentByLab,
  ): Promise<Exchange | undefined> {
    await server.settled();
    return (await handle(request, sentByLab)).exchange;
  }

  async function respondToControl(request: IncomingRequest): Promise<ResponseData> {
    await server.settled();
    const url = parseUrl(request.url);
    if (!url) return await options.control(request, "");
    const tenant = tenants.ofControlPath(url.pathname);
    if (tenant) return await tenant.control.respond(request);
    const path = pathWithinIssuer(url.pathname, options.controlBase) ?? url.pathname;
    return await options.control(request, path);
  }

  return {
    ...createApplication(respond),
    control: createApplication(respondToControl),
    recordExchange,
  };
}

function wrongHostResponse(
  { server, events }: LabParts,
  { method }: IncomingRequest,
  { hostname }: URL,
): ResponseData {
  const description = describeAddresses(hostname, server.current().context.settings.addresses);
  const error = new OAuthError("access_denied", description);
  events.emitServerEvent({
    type: "request.refused",
    method,
    path: "unknown",
    status: error.status,
    error: error.code,
    description,
  });
  return errorResponse(error);
}

function errorResponse(error: OAuthError): ResponseData {
  return jsonResponse(errorBody(error), error.status);
}
