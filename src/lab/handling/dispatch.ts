import type { Settings } from "../../server/config/settings.ts";
import { type Application, createApplication } from "../../server/http/application.ts";
import { createIncomingRequest, type IncomingRequest } from "../../server/http/incoming_request.ts";
import { jsonResponse } from "../../server/http/response.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import { createRouter } from "../../server/http/router.ts";
import type { Client } from "../../server/model/client.ts";
import { basePath, pathWithinIssuer } from "../../server/protocol/issuer_url.ts";
import { errorBody, errorFactory } from "../../server/protocol/oauth_error.ts";
import { parseUrl } from "../../server/util/addresses/uri.ts";
import { isControl } from "../control/control_path.ts";
import type { LabResponse } from "../control/lab.ts";
import { playedHosts, urlAtBase } from "../dialect/played_hosts.ts";
import { scopesIn, unknownScopes, widenStoredClient } from "../lab_server/lab_scopes.ts";
import type { ReplaceableServer } from "../lab_server/replaceable_server.ts";
import { createAdmission } from "../leniencies/any_client.ts";
import { type Exchange, readWireRequest, type WireRequest } from "../recording/exchange.ts";
import { describeAddresses, isOwnHost } from "../util/own_host.ts";
import type { LabMcp } from "./lab_mcp.ts";
import type { LabParts } from "./lab_parts.ts";
import { withPageOrigin } from "./page_origin.ts";
import { type HandledExchange, isProtocolRequest, recordAndRespond } from "./record_and_respond.ts";
import { recordOtherRequest } from "./record_other_request.ts";

const accessDenied = errorFactory("access_denied");

/** Leads a request to a tenant, to the lab's interface over HTTP, or to the server. */
export interface Dispatcher extends Application<LabResponse> {
  /** Serves the lab's interface over HTTP and nothing else, for a port of its own. */
  control: Application;
  /** Handles a request of the protocol, and returns the exchange that records it. */
  recordExchange(request: IncomingRequest): Promise<Exchange | undefined>;
}

/** What responds with the pages of a lab, and with its interface over HTTP. */
export interface PageHandlers {
  /** Responds to a request for the interface over HTTP. */
  control(request: IncomingRequest, path: string): Promise<ResponseData>;
  /** Responds with a page of the lab that is beside those of the server, if there is one. */
  front(request: IncomingRequest, path: string): Promise<ResponseData | undefined>;
}

export interface DispatchOptions extends PageHandlers {
  /** Whether the interface over HTTP is served by `fetchControl` alone. */
  controlApart: boolean;
  /** The path above that interface. */
  controlBase: string;
  /** The MCP server of the lab, and the documents that it hosts. */
  mcp: Pick<LabMcp, "respond" | "admitStepUp">;
}

export function createDispatcher(parts: LabParts, options: DispatchOptions): Dispatcher {
  const { server, tenants } = parts;
  const base = basePath(parts.issuer);
  const addressBase = basePath(parts.base);
  const admit = createAdmission(() => ({
    pkce: parts.powers().unknownClientPkce ?? "required",
    defaults: {
      ...parts.responseTypes.clientModes && { responseModes: parts.responseTypes.clientModes },
      ...parts.powers().clientDefaults,
    },
  }));

  const dialectOf = () => parts.settings.config().dialect;
  const pathOf = ({ pathname }: URL) =>
    pathWithinIssuer(pathname, base) ?? pathWithinIssuer(pathname, addressBase) ?? pathname;

  async function respond(request: IncomingRequest): Promise<LabResponse> {
    await server.settled();
    const url = parseUrl(request.url);
    if (!url) return await server.current().respond(request);
    const tenant = tenants.ofUrl(url);
    if (tenant) return await tenant.respond(request);
    const { addresses } = server.current().context.settings;
    // Such a host leads to the endpoints of its issuer, and to nothing else.
    if (tenants.hasHost(url.hostname)) return wrongHostResponse(parts, request, url);
    const isPlayed = playedHosts(dialectOf()).includes(url.hostname);
    const isControlApart = options.controlApart || isPlayed;
    const controlled = isControlApart ? undefined : tenants.ofControlPath(url.pathname);
    if (controlled) return await controlled.control.respond(request);
    const path = pathOf(url);
    if (isControl(path) && !isControlApart) return await options.control(request, path);
    if (!isPlayed && !isOwnHost(url.hostname, addresses)) {
      return wrongHostResponse(parts, request, url);
    }
    return await withPageOrigin(
      request,
      addresses,
      async () => await options.front(request, path) ?? (await handle(request)).response,
    );
  }

  async function recordExchange(request: IncomingRequest): Promise<Exchange | undefined> {
    await server.settled();
    const { addresses } = server.current().context.settings;
    return (await withPageOrigin(request, addresses, () => handle(request))).exchange;
  }

  async function handle(request: IncomingRequest): Promise<HandledExchange> {
    const url = urlAtBase(new URL(request.url), parts.base, dialectOf());
    const { settings } = server.current().context;
    const dialect = await parts.dialect?.();
    const isOwnRoute = hasOwnRoute(request, url, settings);
    const copy = isOwnRoute ? readableCopy(request) : request;
    const read = await readWireRequest(copy, url, settings);
    const wireRequest = dialect?.identify(read) ?? read;
    const mcpResponse = isOwnRoute ? undefined : await options.mcp.respond(request, pathOf(url));
    const isProtocol = isProtocolRequest(wireRequest) || dialect?.serves(wireRequest);
    if (mcpResponse || !isProtocol) {
      const other = { wireRequest, request, isOwnRoute, mcpResponse };
      return await recordOtherRequest(parts, server.current(), other);
    }
    const { anyScope = false, anyClient = false } = parts.powers();
    if (anyScope) await admitScopes(server, wireRequest);
    await options.mcp.admitStepUp(wireRequest);
    const verifiable = anyClient
      ? await admit(server.current().context, request, wireRequest)
      : request;
    return await recordAndRespond(parts, server.current(), wireRequest, verifiable);
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

/** Whether a request is for a route of the test's own. */
function hasOwnRoute(
  { method }: IncomingRequest,
  { pathname }: URL,
  { base, routes }: Settings,
): boolean {
  if (routes.length === 0) return false;
  return createRouter(routes)(method, pathWithinIssuer(pathname, base) ?? "").route !== undefined;
}

/** A test's own route reads the body with the methods of the request, which work only once. */
function readableCopy(request: IncomingRequest): IncomingRequest {
  const isBodiless = request.method === "GET" || request.method === "HEAD";
  return isBodiless ? request : createIncomingRequest(request.toRequest().clone());
}

/** Adds the unknown scopes of a request to the server. */
async function admitScopes(server: ReplaceableServer, wireRequest: WireRequest): Promise<void> {
  const { context } = server.current();
  const unknown = unknownScopes(context, wireRequest);
  if (unknown.length > 0) server.addScopes(unknown);
  // Any other client registered for some scopes and no others.
  const mayWiden = ({ scopes }: Client) =>
    server.configuredScopes().every((token) => scopes.includes(token));
  const offer = { requested: scopesIn(wireRequest), mayWiden };
  await widenStoredClient(context, wireRequest.client, offer);
}

function wrongHostResponse(
  { server, events }: LabParts,
  { method }: IncomingRequest,
  { hostname }: URL,
): ResponseData {
  const description = describeAddresses(hostname, server.current().context.settings.addresses);
  const error = accessDenied(description);
  events.emitServerEvent({
    type: "request.refused",
    method,
    path: "unknown",
    status: error.status,
    error: error.code,
    description,
  });
  return jsonResponse(errorBody(error), error.status);
}
