import type { Context } from "../../../server/issuer/context.ts";
import { isScopeToken } from "../../../server/protocol/scope.ts";
import type { ServedParts } from "../../handling/lab_parts.ts";
import { LabError } from "../../util/lab_error.ts";
import { demoToolset } from "./demo_tools.ts";
import type { McpOptions, McpTool, Toolset } from "./mcp_tool.ts";

const toolName = /^[A-Za-z0-9_.-]{1,128}$/;

/** Holds the tools of a test, which replace those of the lab. */
export function createMcpTools(partsOf: () => ServedParts) {
  let known: { context: Context; demo: Toolset } | undefined;
  let own: Toolset | undefined;
  return {
    /** Returns the tools of the test, or those of the lab: the same object until they change. */
    current(): Toolset {
      if (own) return own;
      const { context } = partsOf().server.current();
      // The scopes that users can grant change with the server.
      const isKnown = (token: string) =>
        context.hooks.admits?.scope !== undefined || context.settings.scopes.has(token);
      if (known?.context !== context) known = { context, demo: demoToolset(isKnown) };
      return known.demo;
    },
    /**
     * Replaces the tools. Without any, the server has those of the lab again.
     *
     * @throws {LabError} A tool is invalid; nothing has changed.
     */
    replace({ tools, initialScope = [] }: McpOptions): void {
      if (!initialScope.every(isScopeToken)) {
        throw new LabError("The 'initialScope' must be a list of scopes.");
      }
      if (!tools && initialScope.length > 0) throw new LabError("'initialScope' needs 'tools'.");
      own = tools && {
        tools: Object.entries(tools).map(([name, tool]) => {
          const problem = toolProblem(name, tool);
          if (problem !== undefined) throw new LabError(problem);
          return { ...tool, name };
        }),
        initialScope,
      };
    },
    clear: () => own = undefined,
  };
}

function toolProblem(name: string, tool: McpTool): string | undefined {
  if (!toolName.test(name)) {
    return `The name '${name}' of a tool must have up to 128 letters, digits, '_', '-' and '.'.`;
  }
  if (typeof tool?.call !== "function") return `The tool '${name}' needs a function 'call'.`;
  if (![tool.scope ?? []].flat().every(isScopeToken) || typeof tool.scope === "string") {
    return `The 'scope' of the tool '${name}' must be a list of scopes.`;
  }
  if (tool.maxAge !== undefined && !(tool.maxAge >= 0)) {
    return `The 'maxAge' of the tool '${name}' must be a number of seconds.`;
  }
  return undefined;
}
