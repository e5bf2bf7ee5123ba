import type { InternalServer } from "../../server/server.ts";
import type { Invocation } from "../command_line/command.ts";
import type { Configuration } from "../configuration/configuration.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { RunningServer } from "./start_server.ts";

/** What a feature does with a server, from when it is ready. */
export type Companion<S extends InternalServer = InternalServer> = (
  server: AccompaniedServer<S>,
) => void;

/** A server that runs, and what it was started with. */
export interface AccompaniedServer<S extends InternalServer = InternalServer> {
  invocation: Invocation;
  terminal: Terminal;
  configuration: Configuration;
  running: RunningServer<S>;
}
