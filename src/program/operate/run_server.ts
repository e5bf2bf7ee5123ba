import type { InternalServer } from "../../server/server.ts";
import { messagesOf } from "../../server/util/text/error_message.ts";
import type { Invocation } from "../command_line/command.ts";
import {
  checkSecretsPresent,
  type Configuration,
  readConfiguration,
} from "../configuration/configuration.ts";
import { type EventFormat, formatDropped } from "../monitoring/log.ts";
import { exitCodeOf, failure } from "../terminal/exit_code.ts";
import { explainFailedCall } from "../terminal/explain_error.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { misspelledVariables } from "./misspelled_variables.ts";
import { checkMetricsPort } from "./serve_metrics.ts";
import {
  type ProgramListener,
  type RunningServer,
  type ServerStart,
  startServer,
} from "./start_server.ts";

/** What the program starts, and how its terminal shows it. */
export interface ServerRun<S extends InternalServer> extends ServerStart<S> {
  /** The format of the log. */
  format: EventFormat;
  /** Receives a function that ends the process as a signal would, before the server starts. */
  whenStoppable?(stop: () => void): void;
  /** Returns what to warn of when the server stops. */
  warningAtStop?(server: S): string | undefined;
}

/** Reads the configuration of the server that the command line asks for. */
export async function readServerConfiguration(
  invocation: Invocation,
  terminal: Pick<Terminal, "environment" | "printError">,
): Promise<Configuration> {
  const configuration = await readConfiguration(invocation, terminal.environment);
  checkSecretsPresent(configuration);
  checkMetricsPort(configuration);
  for (const warning of misspelledVariables(terminal.environment, configuration)) {
    terminal.printError(`warning: ${warning}`);
  }
  return configuration;
}

/** Starts a server as soon as its start is prepared, and stops it when the process ends. */
export async function runServer<S extends InternalServer>(
  preparing: Promise<ServerRun<S>>,
  terminal: Terminal,
): Promise<RunningServer<S>> {
  let running: RunningServer<S> | undefined;
  let run: ServerRun<S> | undefined;
  // A server that is not ready has nothing to finish, and stops at once.
  const stop = terminal.onStop(async () => {
    const warning = running && run?.warningAtStop?.(running.server);
    if (warning !== undefined) terminal.printError(`warning: ${warning}`);
    await running?.stop();
  });
  try {
    run = await preparing;
    run.whenStoppable?.(stop);
    running = await startServer(run, {
      onEvent: createLog(run, terminal),
      warn: (message) => terminal.printError(`warning: ${message}`),
    });
    return running;
  } catch (cause) {
    if (exitCodeOf(cause) !== failure) throw cause;
    throw new Error(`Cannot start the server: ${explainFailedCall(cause) ?? messagesOf(cause)}`);
  }
}

/** Returns the listener that writes the log. */
function createLog(
  { configuration, format }: Pick<ServerRun<InternalServer>, "configuration" | "format">,
  terminal: Terminal,
): ProgramListener {
  const { log: form = "text" } = configuration.program;
  terminal.describeDropped((lines) => formatDropped(form, lines, new Date()));
  return (event, request) => {
    const line = format(event, new Date(), request);
    if (line !== undefined) terminal.log(line);
  };
}

/** Prints the warnings, and the line that programs wait for. */
export function announce(
  terminal: Terminal,
  { server, metricsUrl }: RunningServer,
  warnings: readonly string[],
): void {
  for (const warning of warnings) terminal.printError(`warning: ${warning}`);
  if (metricsUrl !== undefined) terminal.print(`metrics: ${metricsUrl}`);
  terminal.print(`hallpass ready ${server.issuer}`);
}
