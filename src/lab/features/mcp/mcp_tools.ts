import type { Context } from "../../../server/issuer/context.ts";
import { isScopeToken } from "../../../server/protocol/scope.ts";
import { minute } from "../../../server/util/time/duration.ts";
import type { ServedParts } from "../../handling/lab_parts.ts";
import { LabError } from "../../util/lab_error.ts";
import type { McpOptions, McpTool, NamedTool, Toolset } from "./mcp_tool.ts";

const toolName = /^[A-Za-z0-9_.-]{1,128}$/;

const noArguments = { type: "object", additionalProperties: false } as const;

const notes = ["Buy milk", "Read RFC 9700"];

/** The tools of the lab. They change nothing: anyone may call them as often as they like. */
const demoTools: readonly NamedTool[] = [
  {
    name: "whoami",
    description: "Returns who the access token is about. Needs no scope.",
    inputSchema: noArguments,
    call: (_args, { subject, clientId, scope, claims }) => ({
      subject,
      client: clientId,
      scope,
      audience: claims.aud,
      signedInAt: claims.auth_time,
    }),
  },
  {
    name: "read_notes",
    description: "Returns some notes. Needs the scope 'read'.",
    inputSchema: noArguments,
    scope: ["read"],
    call: () => ({ notes }),
  },
  {
    name: "write_note",
    description: "Pretends to add a note. Needs the scope 'write'.",
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
    scope: ["write"],
    call: ({ text = "" }) => ({ notes: [...notes, String(text).slice(0, 1000)], saved: false }),
  },
  {
    name: "approve_payment",
    description:
      "Pretends to approve a payment. The user must have signed in 5 minutes ago or less.",
    inputSchema: noArguments,
    maxAge: 5 * minute,
    call: () => ({ approved: false, reason: "This is a lab." }),
  },
];

/** The scopes that the first challenge of the lab names. */
const initialScope = ["read"];

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

/** Returns what the server has if a test gives it no tools: those whose scopes users can grant. */
function demoToolset(isKnownScope: (token: string) => boolean): Toolset {
  return {
    tools: demoTools.filter(({ scope = [] }) => scope.every(isKnownScope)),
    initialScope: initialScope.filter(isKnownScope),
  };
}
