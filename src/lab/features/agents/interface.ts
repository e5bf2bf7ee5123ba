import { lazyModule } from "../../../server/util/lazy_module.ts";
import { operation } from "../../core/operation.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { registerClientOperation } from "./register_client.ts";

const { respondToAgent } = lazyModule(() => import("./respond_to_agent.ts"));

/** A message of JSON-RPC 2.0, as the Model Context Protocol has them. */
export interface AgentMessage {
  /** The version of JSON-RPC. */
  jsonrpc: "2.0";
  /** What the response repeats. A notification has none. */
  id?: string | number | undefined;
  /** The method: tools/call. */
  method: string;
  /** Its parameters. */
  params?: Record<string, unknown> | undefined;
}

/** The response to a message of JSON-RPC 2.0. */
export interface AgentResponse {
  /** The version of JSON-RPC. */
  jsonrpc: "2.0";
  /** That of the request, or null if it could not be read. */
  id: string | number | null;
  /** The result, if the request succeeded. */
  result?: Record<string, unknown> | undefined;
  /** Why it failed. */
  error?: Record<string, unknown> | undefined;
}

/** The lab as a server of the Model Context Protocol. */
export const agentInterface: FeatureInterface = {
  operations: [
    operation("POST /mcp", {
      name: "mcp",
      page: { title: "Send an MCP message" },
      summary: "The lab as tools of an agent: speaks the Model Context Protocol.",
      body: { name: "AgentMessage" },
      readsBody: true,
      returns: "AgentResponse",
      otherFormats: ["text/event-stream"],
      example: {
        body: {
          jsonrpc: "2.0",
          id: 1,
          method: "initialize",
          params: { protocolVersion: "2025-11-25" },
        },
      },
      run: respondToAgent,
    }),
    registerClientOperation,
  ],
};
