import { once } from "../../../server/util/time/promises.ts";
import { accessProblem } from "../../control/guard.ts";
import type { LabFeature } from "../../feature.ts";
import type { LabParts } from "../../handling/lab_parts.ts";
import { respondInstead, unless } from "../../layers/layer.ts";
import type { PendingExchange } from "../../layers/pending_exchange.ts";
import { LabError } from "../../util/lab_error.ts";
import { findMcpServer } from "./find_mcp_server.ts";
import type { McpOptions, McpServer, Toolset } from "./mcp_tool.ts";
import { createMcpTools } from "./mcp_tools.ts";
import { admitStepUp, isForMcp } from "./step_up.ts";
import { isMcpPath } from "./util/mcp_place.ts";

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
