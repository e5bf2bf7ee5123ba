import { noteIssuer } from "../../administration/store_issuer.ts";
import type { InternalServer } from "../../server/server.ts";
import type { Invocation } from "../command_line/command.ts";
import { isConfigured } from "../configuration/config_file.ts";
import { readTls } from "../configuration/program_config.ts";
import { createEventFormat } from "../monitoring/log.ts";
import { colorsFor } from "../terminal/color.ts";
import { ownName } from "../terminal/own_name.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { countDirectory } from "./directory.ts";
import { announce, readServerConfiguration, runServer, type ServerRun } from "./run_server.ts";
import { greetServer } from "./serve_greeting.ts";
import { siteOf } from "./site.ts";
import { withListener } from "./start_server.ts";
import { startWarnings } from "./start_warnings.ts";
import { openStrictServer } from "./strict_server.ts";

/** Starts a server for real use. */
export async function runServeCommand(invocation: Invocation, terminal: Terminal): Promise<void> {
  const preparing = prepare(invocation, terminal);
  const running = await runServer(preparing, terminal);
  const { program } = (await preparing).configuration;
  const { environment, isInteractive } = terminal;
  const { context } = running.server;
  const counts = await countDirectory(context);
  const warnings = await startWarnings(running, counts);
  await noteIssuer(context);
  const colors = colorsFor(environment, isInteractive);
  const greeting = greetServer(running, counts, program, colors);
  await announce(terminal, running, { form: program.log, greeting, warnings });
}

async function prepare(
  invocation: Invocation,
  terminal: Terminal,
): Promise<ServerRun<InternalServer>> {
  if (!isConfigured(invocation, terminal.environment)) {
    throw new UsageError(
      `hallpass serve needs a configuration: --config FILE. To try things out: ${ownName()} lab`,
    );
  }
  const configuration = await readServerConfiguration(invocation, terminal);
  const { program } = configuration;
  return {
    configuration,
    site: await siteOf(invocation, configuration, terminal.environment),
    listenOptions: await readTls(program) ?? {},
    isRealTime: true,
    format: createEventFormat(program.log ?? "text", program.logLevel ?? "info"),
    open: (config, onEvent) => openStrictServer(withListener(config, onEvent), configuration.lab),
  };
}
