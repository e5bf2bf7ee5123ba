import { ConfigError } from "../config/config_error.ts";
import { messagesOf } from "../util/error_message.ts";
import type { Command, Invocation, Terminal } from "./command.ts";
import { isInContainer } from "./container.ts";
import { greetLab } from "./greeting.ts";
import { formatEvent } from "./log.ts";
import {
  alg,
  backChannel,
  cert,
  config,
  expose,
  frontChannel,
  host,
  issuer,
  key,
  labPort,
  labToken,
  type Option,
  port,
  profile,
  redirectUri,
  store,
} from "./options.ts";
import { type RunningServer, start } from "./start_server.ts";
import { UsageError } from "./usage_error.ts";
import { warnings } from "./warnings.ts";

const shared: readonly Option[] = [
  port,
  host,
  issuer,
  frontChannel,
  backChannel,
  store,
  config,
  profile,
  alg,
  cert,
  key,
];

/** A server for trying and testing clients. */
export const lab: Command = {
  name: "lab",
  help: "for trying and testing clients: demo clients and users, in memory, on loopback",
  options: [
    ...shared,
    ...[redirectUri, expose, labToken, labPort].map((option): Option => ({
      ...option,
      help: `${option.help} [lab only]`,
    })),
  ],
  async run(invocation, terminal) {
    const server = await run(invocation, terminal);
    terminal.print(await greetLab(server, terminal.version, !invocation.values.has("config")));
    return await announce(invocation, terminal, server);
  },
};

/** A server for real use. */
export const serve: Command = {
  name: "serve",
  help: "for real use: strict, with what the configuration of --config FILE names and nothing else",
  options: shared,
  run: async (invocation, terminal) =>
    await announce(invocation, terminal, await run(invocation, terminal)),
};

async function run(invocation: Invocation, terminal: Terminal): Promise<RunningServer> {
  try {
    const server = await start(
      invocation,
      terminal.environment,
      (event) => terminal.log(formatEvent(event, new Date())),
    );
    terminal.onStop(server.stop);
    return server;
  } catch (cause) {
    if (cause instanceof UsageError || cause instanceof ConfigError) throw cause;
    throw new Error(`Cannot start the server: ${messagesOf(cause)}`);
  }
}

/** Prints the warnings, and the line that programs wait for. */
async function announce(
  invocation: Invocation,
  terminal: Terminal,
  server: RunningServer,
): Promise<undefined> {
  for (const warning of warnings(invocation, server, await isInContainer(terminal.environment))) {
    terminal.complain(`warning: ${warning}`);
  }
  terminal.print(`hallpass ready ${server.server.issuer}`);
}
