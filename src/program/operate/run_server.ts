import { basePath } from "../../server/protocol/issuer_url.ts";
import type { InternalServer } from "../../server/server.ts";
import { UnreadableStoreError } from "../../server/store/store_errors.ts";
import { messagesOf } from "../../server/util/text/error_message.ts";
import type { Invocation } from "../command_line/command.ts";
import {
  type Configuration,
  readConfiguration,
  urlOfAddress,
} from "../configuration/configuration.ts";
import { checkSecretsPresent } from "../configuration/secret_variables.ts";
import { type EventFormat, formatNotice, type LogForm } from "../monitoring/log.ts";
import { exitCodeOf, failure, unavailable } from "../terminal/exit_code.ts";
import { explainFailedCall } from "../terminal/explain_error.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { checkMetricsPort } from "./listen_on.ts";
import { misspelledVariables } from "./misspelled_variables.ts";
import { addressOfSite, metricsUrlOf } from "./site.ts";
import {
  type ProgramListener,
  type RunningServer,
  type ServerStart,
  startServer,
} from "./start_server.ts";

/** What the program starts, and how its terminal shows it. */
export interface ServerRun<S extends InternalServer> extends ServerStart<S> {
  format: EventFormat;
  /** Receives a function that ends the process as a signal would, before the server starts. */
  whenStoppable?(stop: () => void): void;
  warningAtStop?(server: S): string | undefined;
}

/** What the program says when it starts. */
export interface Notice {
  type: string;
  facts: Readonly<Record<string, unknown>>;
  /** Text for a reader, perhaps in colors. Its parts from outside are escaped. */
  text: string;
}

/**
 * What the program says besides its log, in the same form: a log in JSON has only JSON next to it.
 */
export interface Notices {
  /** Prints a warning, on standard error. */
  warn(message: string): void;
  /** Prints what happened: its text, or in JSON its type and facts. */
  print(notice: Notice): void;
}

/** Its last line: a server that was killed does not print it. */
const stopped: Notice = {
  type: "program.stopped",
  facts: { message: "hallpass stopped" },
  text: "hallpass stopped",
};

const upgradesTables = "The tables of the store are from an earlier version: each row is written " +
  "anew, and the server starts when that is done.";

/** Reads the configuration of the server that the command line asks for. */
export async function readServerConfiguration(
  invocation: Invocation,
  terminal: Terminal,
  isLab = false,
): Promise<Configuration> {
  const configuration = await readConfiguration(invocation, terminal.environment, isLab);
  if (configuration.program.log === "json") terminal.useJson();
  checkSecretsPresent(configuration);
  checkMetricsPort(configuration);
  const notices = createNotices(configuration.program.log, terminal);
  for (const warning of misspelledVariables(terminal.environment, configuration.secretVariables)) {
    notices.warn(warning);
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
  let hasFailed = false;
  // A server that is not ready has nothing to finish, and stops at once.
  const stop = terminal.onStop(async () => {
    const warning = running && run?.warningAtStop?.(running.server);
    if (run && warning !== undefined) noticesOf(run, terminal).warn(warning);
    await running?.stop();
    if (hasFailed) return unavailable;
    if (running && run) noticesOf(run, terminal).print(stopped);
  });
  try {
    run = await preparing;
    run.whenStoppable?.(stop);
    const { warn } = noticesOf(run, terminal);
    running = await startServer(run, {
      onEvent: createLog(run, terminal),
      warn,
      onUpgrade: () => warn(upgradesTables),
      onFailure(cause) {
        hasFailed = true;
        warn(`The server stops, and must be started again: ${messagesOf(cause)}`);
        stop();
      },
    });
    return running;
  } catch (cause) {
    const isUnreadable = cause instanceof UnreadableStoreError;
    if (exitCodeOf(cause) !== failure && !isUnreadable) throw cause;
    const Failure = isUnreadable ? UnreadableStoreError : Error;
    throw new Failure(`Cannot start the server: ${explainFailedCall(cause) ?? messagesOf(cause)}`);
  }
}

/**
 * Prints what is running, the warnings, and the line that programs wait for. A warning is on
 * another stream, which must not overtake the greeting.
 */
export async function announce(
  terminal: Terminal,
  { server: { issuer }, site }: RunningServer,
  { form, greeting, warnings }: {
    form: LogForm | undefined;
    /** What is running, for a reader who may never have seen it. */
    greeting: Notice;
    warnings: readonly string[];
  },
): Promise<void> {
  const notices = createNotices(form, terminal);
  notices.print(greeting);
  if (warnings.length > 0) await terminal.flush();
  for (const warning of warnings) notices.warn(warning);
  const address = addressOfSite(site);
  // Programs read the last word: where the issuer is another, they could not learn the port.
  const isListening = new URL(issuer).origin === address;
  const place = isListening ? "" : ` at ${address}${basePath(issuer)}`;
  const message = `hallpass ready ${issuer}${place}`;
  const { mtls } = site;
  const others = {
    metrics: metricsUrlOf(site),
    mtls: mtls && urlOfAddress(mtls.host, mtls.port, "https"),
  };
  const lines = Object.entries(others).flatMap(([name, url]) => url ? [`${name}: ${url}`] : []);
  notices.print({
    type: "program.ready",
    facts: { message, issuer, listens: address, ...others },
    text: [...lines, message].join("\n"),
  });
}

export function createNotices(
  form: LogForm | undefined,
  { printError, print, printColored }: Terminal,
): Notices {
  if (form !== "json") {
    return {
      warn: (message) => printError(`warning: ${message}`),
      print: ({ text }) => printColored(text),
    };
  }
  return {
    warn: (message) => printError(formatNotice("program.warned", "warn", { message }, new Date())),
    print: ({ type, facts }) => print(formatNotice(type, "info", facts, new Date())),
  };
}

function noticesOf(
  { configuration }: ServerRun<InternalServer>,
  terminal: Terminal,
): Notices {
  return createNotices(configuration.program.log, terminal);
}

function createLog(
  { format }: ServerRun<InternalServer>,
  terminal: Terminal,
): ProgramListener {
  return (event, request) => {
    const line = format(event, new Date(), request);
    if (line !== undefined) terminal.log(line);
  };
}
