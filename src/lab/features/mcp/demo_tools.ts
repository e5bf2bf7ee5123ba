import { minute } from "../../../server/util/time/duration.ts";
import type { NamedTool, Toolset } from "./mcp_tool.ts";

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

/** Returns what the server has if a test gives it no tools: those whose scopes users can grant. */
export function demoToolset(isKnownScope: (token: string) => boolean): Toolset {
  return {
    tools: demoTools.filter(({ scope = [] }) => scope.every(isKnownScope)),
    initialScope: initialScope.filter(isKnownScope),
  };
}
