import { ConfigError } from "../config/config_error.ts";
import type { Call, Command, World } from "./command.ts";
import { messagesOf } from "../protocol/message_of.ts";
import { greetLab } from "./greeting.ts";
import { formatEvent } from "./log.ts";
import { isInContainer } from "./container.ts";
import type { Option } from "./options.ts";
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
  port,
  profile,
  redirectUri,
  store,
} from "./options.ts";
import type { Running } from "./start.ts";
import { start } from "./start.ts";
import { UsageError } from "./usage_error.ts";
import { warnings } from "./warnings.ts";

const shared: readonly Option[] = [port, host, issuer, frontChannel, backChannel, store, config, profile, alg, cert, key];

/** A server for trying and testing clients. */
export const lab: Command = {
  name: "lab",
  help: "for trying and testing clients: demo clients and users, in memory, on loopback",
  options: [
    ...shared,
    ...[redirectUri, expose, labToken, labPort].map((option): Option => ({ ...option, help: `${option.help} [lab only]` })),
  ],
  async run(call, world) {
    const running = await run(call, world);
    world.print(await greetLab(running, world.version, !call.values.has("config")));
    return await announce(call, world, running);
  },
};

/** A server for real use. */
export const serve: Command = {
  name: "serve",
  help: "for real use: strict, with what the configuration of --config FILE names and nothing else",
  options: shared,
  run: async (call, world) => await announce(call, world, await run(call, world)),
};

async function run(call: Call, world: World): Promise<Running> {
  try {
    const running = await start(call, world.environment, (event) => world.log(formatEvent(event, new Date())));
    world.onStop(running.stop);
    return running;
  } catch (cause) {
    if (cause instanceof UsageError || cause instanceof ConfigError) throw cause;
    throw new Error(`Cannot start the server: ${messagesOf(cause)}`);
  }
}

/** Says that it is there; the keys are made meanwhile, so that no request waits for them. */
async function announce(call: Call, world: World, running: Running): Promise<undefined> {
  for (const warning of warnings(call, running, await isInContainer(world.environment))) world.complain(`warning: ${warning}`);
  running.server.prepare().catch((cause) => world.complain(messagesOf(cause)));
  world.print(`hallpass ready ${running.server.issuer}`);
}
