import type { Context } from "../../../server/issuer/context.ts";
import type { Client } from "../../../server/model/client.ts";
import { isInteractiveGrant } from "../../../server/protocol/grant_types.ts";
import { parseUrl } from "../../../server/util/addresses/uri.ts";
import { once } from "../../../server/util/time/promises.ts";
import { accessProblem } from "../../control/guard.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { LabFeature } from "../../feature.ts";
import type { LabParts } from "../../handling/lab_parts.ts";
import { scopesIn, widenStoredClient } from "../../lab_server/lab_scopes.ts";
import { respondInstead, unless } from "../../layers/layer.ts";
import type { PendingExchange } from "../../layers/pending_exchange.ts";
import { parameterOf, type WireRequest } from "../../recording/exchange.ts";
import { mcpPath } from "../../responses/places.ts";
import { LabError } from "../../util/lab_error.ts";
import type { McpSetting } from "./config.ts";
import { findMcpServer } from "./find_mcp_server.ts";
import { type McpOptions, type McpServer, scopesOf, type Toolset } from "./mcp_tool.ts";
import { createMcpTools } from "./mcp_tools.ts";
import { isMcpPath, mcpUrl } from "./util/mcp_place.ts";

/** What a test can do for clients of the Model Context Protocol. */
export interface LabMcpTools {
  /**
   * Returns the URL of the MCP server of the lab, which is all that a client needs to know. Options
   * replace its tools: `lab.mcp({ tools: { add: { call: ({ a, b }) => a + b } } })`.
   *
   * @throws {LabError} A tool is invalid, or the lab has no such server; nothing has changed.
   */
  mcp(options?: McpOptions): McpServer;
}

/** An MCP server, for clients of the Model Context Protocol. */
export const mcp: LabFeature<LabMcpTools> = {
  name: "mcp",
  open({ parts, lab }) {
    const tools = createMcpTools(parts);
    const steppedUp = new Set<string>();
    const loadServer = once(() => openMcpServer(parts(), tools.current));

    async function respondHere(exchange: PendingExchange): Promise<void> {
      if (findMcpServer(lab()).url === undefined) return;
      const response = await (await loadServer())(exchange.serverRequest, exchange.path);
      if (!response) return;
      respondInstead(exchange, response);
      exchange.labels.isMcp = true;
    }

    return {
      tools: {
        mcp(options) {
          const { url, problem } = findMcpServer(lab());
          if (url === undefined) throw new LabError(`This lab has no MCP server: ${problem}.`);
          if (options) tools.replace(options);
          return { url };
        },
      },
      layers: {
        identify: (exchange) =>
          isMcpPath(exchange.path) && !exchange.isTestRoute ? respondHere(exchange) : undefined,
        admit: unless(
          ({ request }) => !isForMcp(request, lab().context),
          async ({ request }, next) => {
            const client = await admitStepUp(lab(), request, tools.current());
            if (client !== undefined) steppedUp.add(client);
            return await next();
          },
        ),
      },
      remarks: () => ({ leniencies: steppedUp.size > 0 ? ["mcpStepUp"] : [] }),
      state: {
        clear() {
          tools.clear();
          steppedUp.clear();
        },
      },
    };
  },
};

async function openMcpServer({ server, clock }: LabParts, toolset: () => Toolset) {
  const { createMcpServer } = await import("./mcp_server.ts");
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

/** Whether an authorization request is for the MCP server of the lab. */
function isForMcp(request: WireRequest, { settings: { addresses } }: Context): boolean {
  if (request.endpoint !== "authorize" && request.endpoint !== "par") return false;
  const resource = parameterOf(request, "resource") ?? "";
  const url = resource.endsWith(mcpPath) ? parseUrl(resource) : undefined;
  return url !== undefined && mcpUrl(url, addresses) === resource;
}

/**
 * Lets a registered client ask for further scopes of the MCP server. Returns the client if that
 * made a difference.
 */
async function admitStepUp(
  lab: CoreLab,
  request: WireRequest,
  toolset: Toolset,
): Promise<string | undefined> {
  const { client } = request;
  if (lab.settings.config<McpSetting>().mcpStepUp === false || client === undefined) {
    return undefined;
  }
  const requested = scopesIn(request);
  const offered = scopesOf(toolset).filter((token) => requested.includes(token));
  if (offered.length === 0 || findMcpServer(lab).url === undefined) return undefined;
  // Other clients of the store have the scopes that a test chose, and machines ask no user.
  const mayWiden = ({ registration, grantTypes }: Client) =>
    registration !== undefined && grantTypes.every(isInteractiveGrant);
  return await widenStoredClient(lab.context, client, offered, mayWiden) ? client : undefined;
}
