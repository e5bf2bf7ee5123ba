import type { Settings } from "../../server/config/settings.ts";
import { createIncomingRequest, type IncomingRequest } from "../../server/http/incoming_request.ts";
import { createRouter } from "../../server/http/router.ts";
import type { Client } from "../../server/model/client.ts";
import { pathWithinIssuer } from "../../server/protocol/issuer_url.ts";
import { urlAtBase } from "../dialect/played_hosts.ts";
import { scopesIn, unknownScopes, widenStoredClient } from "../lab_server/lab_scopes.ts";
import type { ReplaceableServer } from "../lab_server/replaceable_server.ts";
import { readWireRequest, type WireRequest } from "../recording/exchange.ts";
import type { LabMcp } from "./lab_mcp.ts";
import type { LabParts, SentByLab } from "./lab_parts.ts";
import { type HandledExchange, isProtocolRequest, recordAndRespond } from "./record_and_respond.ts";
import { recordOtherRequest } from "./record_other_request.ts";

/** The MCP server of the lab, and the documents that it hosts. */
export type HandledMcp = Pick<LabMcp, "respond" | "admitStepUp">;

/** Responds to a request in place of the server, and records it. */
export type HandleExchange = (
  request: IncomingRequest,
  sentByLab?: SentByLab,
) => Promise<HandledExchange>;

/**
 * Creates what responds to a request of the protocol, of an MCP client, or for a test's own route.
 */
export function createExchangeHandler(
  parts: LabParts,
  mcp: HandledMcp,
  pathOf: (url: URL) => string,
): HandleExchange {
  const { server, admission } = parts;

  /**
   * Makes known what the settings of the lab admit, and returns the request that the server gets.
   */
  async function admit(
    request: IncomingRequest,
    wireRequest: WireRequest,
  ): Promise<IncomingRequest> {
    const { anyScope = false, anyClient = false } = parts.powers();
    if (anyScope) await admitScopes(server, wireRequest);
    await mcp.admitStepUp(wireRequest);
    if (!anyClient) return request;
    return await admission.admitRequest(server.current().context, request, wireRequest);
  }

  return async (request, sentByLab) => {
    const around = sentByLab ? { ...parts, origin: { ...parts.origin, ...sentByLab } } : parts;
    const url = urlAtBase(new URL(request.url), parts.base, parts.powers().dialect);
    const { settings } = server.current().context;
    const isOwnRoute = hasOwnRoute(request, url, settings);
    const copy = isOwnRoute ? readableCopy(request) : request;
    const { wireRequest, isProtocol } = await readRequest(parts, copy, url);
    const mcpResponse = isOwnRoute ? undefined : await mcp.respond(request, pathOf(url));
    if (mcpResponse || !isProtocol) {
      const other = { wireRequest, request, isOwnRoute, mcpResponse };
      return await recordOtherRequest(around, server.current(), other);
    }
    const admitted = await admit(request, wireRequest);
    return await recordAndRespond(around, server.current(), wireRequest, admitted);
  };
}

/** A request as the lab understands it. */
interface ReadRequest {
  wireRequest: WireRequest;
  /** Whether it is for the server, and for no page of the lab. */
  isProtocol: boolean;
}

async function readRequest(
  { server, dialect: loadDialect }: LabParts,
  request: IncomingRequest,
  url: URL,
): Promise<ReadRequest> {
  const dialect = await loadDialect?.();
  const read = await readWireRequest(request, url, server.current().context.settings);
  const wireRequest = dialect?.identify(read) ?? read;
  return {
    wireRequest,
    isProtocol: isProtocolRequest(wireRequest) || (dialect?.serves(wireRequest) ?? false),
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
