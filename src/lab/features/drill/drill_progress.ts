import type { DrillApplication } from "./application_login.ts";
import type { DrillResult } from "./drill_result.ts";

/** The login that a drill repeats: a function of a test, or an application that the lab visits. */
export type DrillLogin = (() => Promise<unknown>) | DrillApplication;

/** Options of a drill of a client of the Model Context Protocol. */
export interface McpDrillOptions {
  /**
   * The id of the tenant whose server misbehaves.
   *
   * @default none: the lab itself
   */
  tenant?: string | undefined;
}

/** The current drill of a lab, or else the last one. */
export interface DrillProgress extends DrillResult {
  /** Whether a drill runs, has finished, or was stopped by a problem. */
  state: "none" | "running" | "finished" | "stopped";
  /** The URL that begins the login, if the lab visits an application. */
  start?: string | undefined;
  /** The URL that only someone who is signed in can open, if it is another one. */
  check?: string | undefined;
  /** The URL that makes the application refresh its tokens, if the drill knows it. */
  refresh?: string | undefined;
  /** The URL that signs the user out, if the drill knows it. */
  logout?: string | undefined;
  /** The name of the user who signs in, if the drill knows it. */
  user?: string | undefined;
  /** Whether it drills a client of the Model Context Protocol. */
  mcp?: boolean | undefined;
  /** How many variants there are in the drill. */
  total: number;
  /** Why the drill was stopped. */
  problem?: string | undefined;
}
