import { noteIssuer } from "../../server/issuer/admin/store_issuer.ts";
import { messagesOf } from "../../server/util/text/error_message.ts";
import { type Command, failure, type Invocation, type Terminal } from "../command_line/command.ts";
import { labOptions, serverOptions } from "../command_line/options.ts";
import { isConfigured } from "../configuration/config_file.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { isInContainer } from "../doctor/deployment.ts";
import { createEventFormat, type EventFormat, formatDropped } from "../monitoring/log.ts";
import { misspelledVariables } from "../operate/misspelled_variables.ts";
import type { ProgramListener } from "../operate/open_server.ts";
import {
  readServerConfiguration,
  type RunningServer,
  startServer,
} from "../operate/start_server.ts";
import { startWarnings } from "../operate/start_warnings.ts";
import { colorsFor, noColors } from "../terminal/color.ts";
import { exitCodeOf } from "../terminal/exit_code.ts";
import { explainFailedCall } from "../terminal/explain_error.ts";

/** A server for trying and testing clients. */
export const lab: Command = {
  name: "lab",
  help: "starts a lab to try and test clients: demo clients and users, in memory, on loopback",
  examples: [
    "hallpass lab",
    "hallpass lab --port 0 --sign-in alice",
    "hallpass lab --any-client --redirect-uri http://localhost:3000/callback",
  ],
  options: [...serverOptions, ...labOptions],
  async run(invocation, terminal) {
    const server = await start(invocation, terminal);
    const { greetLab } = await import("../lab/greeting.ts");
    terminal.print(await greetLab(server, !isConfigured(invocation, terminal.environment)));
    return await announce(invocation, terminal, server);
  },
};

/** A server for real use. */
export const serve: Command = {
  name: "serve",
  help: "starts a strict server for real use, with only what --config FILE names",
  examples: [
    "hallpass serve --config hallpass.json",
    "hallpass serve --config hallpass.json --store sqlite:hallpass.db",
  ],
  options: serverOptions,
  run: async (invocation, terminal) =>
    await announce(invocation, terminal, await start(invocation, terminal)),
};

async function start(invocation: Invocation, terminal: Terminal): Promise<RunningServer> {
  let running: RunningServer | undefined;
  // A server that is not ready has nothing to finish, and stops at once.
  const stop = terminal.onStop(async () => {
    const warning = await running?.idleWarning?.();
    if (warning !== undefined) terminal.printError(`warning: ${warning}`);
    await running?.stop();
  });
  try {
    if (invocation.values.has("with-parent")) {
      const { whenParentEnds } = await import("../lab/parent_process.ts");
      whenParentEnds(stop);
    }
    const configuration = await readServerConfiguration(invocation, terminal.environment);
    for (const warning of misspelledVariables(terminal.environment, configuration)) {
      terminal.printError(`warning: ${warning}`);
    }
    running = await startServer(invocation, configuration, {
      onEvent: await createLog(invocation, configuration, terminal, () => running),
      warn: (message) => terminal.printError(`warning: ${message}`),
    });
    return running;
  } catch (cause) {
    if (exitCodeOf(cause) !== failure) throw cause;
    throw new Error(`Cannot start the server: ${explainFailedCall(cause) ?? messagesOf(cause)}`);
  }
}

/** Returns the listener that writes the log. */
async function createLog(
  invocation: Invocation,
  configuration: Configuration,
  terminal: Terminal,
  running: () => RunningServer | undefined,
): Promise<ProgramListener> {
  const { log: form = "text" } = configuration.program;
  terminal.describeDropped((lines) => formatDropped(form, lines, new Date()));
  const format = await logFormat(invocation, configuration, terminal, running);
  return (event, request) => {
    const line = format(event, new Date(), request);
    if (line !== undefined) terminal.log(line);
  };
}

/** Returns the format of the log: aligned lines for a reader at a lab, events for programs. */
async function logFormat(
  { command }: Invocation,
  { program: { log, logLevel = "info" } }: Configuration,
  { environment, isInteractive }: Terminal,
  running: () => RunningServer | undefined,
): Promise<EventFormat> {
  const format = createEventFormat(log ?? "text", logLevel);
  if (command !== "lab") return format;
  const colors = colorsFor(environment, isInteractive);
  if (log !== undefined || (!isInteractive && colors === noColors)) {
    // Of a request to a lab, the event `exchange.recorded` says more.
    return (event, ...rest) =>
      event.type === "request.handled" ? undefined : format(event, ...rest);
  }
  const pagesUrl = () => running()?.controlUrl?.replace(/\/lab$/, "") ?? frontChannel(running());
  const { createLabLog } = await import("../lab/lab_log.ts");
  return createLabLog({ colors, pagesUrl });
}

function frontChannel(running: RunningServer | undefined): string {
  return running?.server.context.settings.frontChannelUrl ?? "";
}

/** Prints the warnings, and the line that programs wait for. */
async function announce(
  invocation: Invocation,
  terminal: Terminal,
  running: RunningServer,
): Promise<undefined> {
  const inContainer = await isInContainer(terminal.environment);
  for (const warning of await startWarnings(invocation, running, inContainer)) {
    terminal.printError(`warning: ${warning}`);
  }
  if (invocation.command === "serve") await noteIssuer(running.server.context);
  if (running.metricsUrl !== undefined) terminal.print(`metrics: ${running.metricsUrl}`);
  terminal.print(`hallpass ready ${running.server.issuer}`);
}
