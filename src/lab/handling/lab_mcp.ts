import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { Client } from "../../server/model/client.ts";
import { isInteractiveGrant } from "../../server/protocol/grant_types.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import { parseUrl } from "../../server/util/addresses/uri.ts";
import { once } from "../../server/util/time/promises.ts";
import { accessProblem } from "../control/guard.ts";
import { scopesIn, widenStoredClient } from "../lab_server/lab_scopes.ts";
import { type RequestLayers, unless } from "../layers/layer.ts";
import type { PendingExchange } from "../layers/pending_exchange.ts";
import { demoToolset } from "../mcp/demo_tools.ts";
import type { LabMcpInternals, LabMcpTools } from "../mcp/lab_mcp_tools.ts";
import { isMcpPath, mcpPath, mcpProblem, mcpUrl } from "../mcp/mcp_place.ts";
import { scopesOf, type Toolset } from "../mcp/mcp_tool.ts";
import { parameterOf, type WireRequest } from "../recording/exchange.ts";
import { LabError } from "../util/lab_error.ts";
import type { LabParts } from "./lab_parts.ts";

/** What a lab has for clients of the Model Context Protocol. */
export interface LabMcp {
  /** What a test can do with it. */
  readonly tools: LabMcpTools;
  readonly internals: LabMcpInternals;
  /** Respond to clients of it, and let registered ones ask for further scopes. */
  readonly layers: RequestLayers;
}

export function createLabMcp(parts: LabParts): LabMcp {
  const context = () => parts.server.current().context;
  const toolset = rememberToolset(parts, context);
  const loadServer = once(() => openMcpServer(parts, toolset));
  const mcpPlace = () => {
    const problem = problemOf(parts);
    return problem === undefined ? { url: issuerUrl(parts.issuer, mcpPath) } : { problem };
  };
  return {
    tools: {
      mcp(options) {
        const { url, problem } = mcpPlace();
        if (url === undefined) throw new LabError(`This lab has no MCP server: ${problem}.`);
        if (options) parts.mcpTools.replace(options);
        return { url };
      },
    },
    internals: { mcpPlace },
    layers: {
      identify(exchange) {
        const { path, isOwnRoute } = exchange;
        return isMcpPath(path) && !isOwnRoute ? respondHere(exchange) : undefined;
      },
      admit: unless(({ request }) => !isForMcp(request, context()), async ({ request }, next) => {
        await admitStepUp(request);
        return await next();
      }),
    },
  };

  async function respondHere(exchange: PendingExchange): Promise<void> {
    const response = await respond(exchange.serverRequest, exchange.path);
    if (!response) return;
    exchange.kind = "beside";
    exchange.besideResponse = response;
    exchange.labels.isMcp = true;
  }

  /** Responds to a request for the MCP server; undefined for any other. */
  async function respond(request: IncomingRequest, path: string) {
    if (problemOf(parts) !== undefined) return undefined;
    return await (await loadServer())(request, path);
  }

  /** Lets a registered client ask for further scopes of the MCP server. */
  async function admitStepUp(request: WireRequest): Promise<void> {
    const { client } = request;
    if (parts.powers().mcpStepUp === false || client === undefined) return;
    const requested = scopesIn(request);
    const offered = scopesOf(toolset()).filter((token) => requested.includes(token));
    if (offered.length === 0 || problemOf(parts) !== undefined) return;
    // Other clients of the store have the scopes that a test chose, and machines ask no user.
    const mayWiden = ({ registration, grantTypes }: Client) =>
      registration !== undefined && grantTypes.every(isInteractiveGrant);
    const offer = { requested: offered, mayWiden };
    if (await widenStoredClient(context(), client, offer)) parts.steppedUp.add(client);
  }
}

/** Whether an authorization request is for the MCP server of the lab. */
function isForMcp(request: WireRequest, { settings: { addresses } }: Context): boolean {
  if (request.endpoint !== "authorize" && request.endpoint !== "par") return false;
  const resource = parameterOf(request, "resource") ?? "";
  const url = resource.endsWith(mcpPath) ? parseUrl(resource) : undefined;
  return url !== undefined && mcpUrl(url, addresses) === resource;
}

/** The scopes that users can grant change with the server. */
function rememberToolset({ mcpTools }: LabParts, context: () => Context): () => Toolset {
  let known: { context: Context; demo: Toolset } | undefined;
  const isKnown = (token: string) =>
    context().addsScope !== undefined || context().settings.scopes.has(token);
  return () => {
    const own = mcpTools.own();
    if (own) return own;
    if (known?.context !== context()) known = { context: context(), demo: demoToolset(isKnown) };
    return known.demo;
  };
}

/** Returns why a lab has no MCP server, or undefined. */
function problemOf({ server, tenants, dialect, issuer }: LabParts): string | undefined {
  if (dialect) return "a lab with a dialect speaks as its provider does";
  if (tenants.ofUrl(new URL(issuerUrl(issuer, mcpPath)))) {
    return `a tenant has the path '${mcpPath}'`;
  }
  return mcpProblem(server.current().context.settings);
}

async function openMcpServer({ server, clock }: LabParts, toolset: () => Toolset) {
  const { createMcpServer } = await import("../mcp/mcp_server.ts");
  return createMcpServer({
    context: () => server.current().context,
    toolset,
    now: clock.now,
    async findProblem(request) {
      const { addresses } = server.current().context.settings;
      const guarded = { addresses, token: undefined, admitsLoopback: true };
      const problem = await accessProblem(request, guarded, undefined);
      return problem?.description;
    },
  });
}
