import type { VerifiedAccess } from "../../../resource/protected_resource.ts";

/** A tool of the MCP server in a lab. */
export interface McpTool {
  /** What the tool does, for people and models. */
  description?: string | undefined;
  /**
   * The JSON Schema of its arguments. Calls are not checked against it.
   *
   * @default an object with any members
   */
  inputSchema?: Readonly<Record<string, unknown>> | undefined;
  /**
   * The scopes that the access token must have, all of them. A call without one gets the status 403
   * and a challenge that names them.
   *
   * @default none
   */
  scope?: readonly string[] | undefined;
  /**
   * How long ago the user may have signed in, in seconds. A later call gets the status 401 and a
   * challenge with `max_age` (RFC 9470).
   *
   * @default any time
   */
  maxAge?: number | undefined;
  /**
   * Runs the tool. A text or an object becomes its result; an object that has `content` is sent as
   * it is. An error that it throws becomes a result with `isError`.
   */
  call(args: Record<string, unknown>, access: VerifiedAccess): unknown;
}

/** What the MCP server of a lab offers. */
export interface McpOptions {
  /**
   * The tools, by their names, in place of those of the lab.
   *
   * @default whoami, read_notes, write_note, approve_payment
   */
  tools?: Readonly<Record<string, McpTool>> | undefined;
  /**
   * The scopes that the first challenge names, so that a client requests these alone, and others
   * when a tool needs them.
   *
   * @default "read" with the tools of the lab, none with those of a test
   */
  initialScope?: readonly string[] | undefined;
}

/** The MCP server of a lab. */
export interface McpServer {
  /** The URL of the server, which is all that a client needs to know. */
  readonly url: string;
}

/** What the MCP server offers. */
export interface Toolset {
  tools: readonly NamedTool[];
  /** The scopes that the first challenge names. */
  initialScope: readonly string[];
}

/** Returns the scopes that clients may need, each once. */
export function scopesOf({ tools, initialScope }: Toolset): string[] {
  return [...new Set([...initialScope, ...tools.flatMap(({ scope = [] }) => scope)])];
}

export interface NamedTool extends McpTool {
  name: string;
}
