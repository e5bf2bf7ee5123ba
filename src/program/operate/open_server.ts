import type { Lab } from "../../lab/control/lab.ts";
import type { LabEvent } from "../../lab/recording/lab_event.ts";
import type { EventRequest } from "../../server/config/event_request.ts";
import type { ServerEvent } from "../../server/config/events.ts";
import { testOnly } from "../../server/config/lab_settings.ts";
import type { InternalServer } from "../../server/server.ts";
import type { Store } from "../../server/store/store.ts";
import { type Invocation, valueOf } from "../command_line/command.ts";
import { type Configuration, listenAddressOf } from "../configuration/configuration.ts";
import type { LabFileConfig } from "../configuration/program_config.ts";
import type { ListenAddress } from "./listen_on.ts";
import type { MetricsListening } from "./serve_metrics.ts";
import { checkNoTestKeys, createStrictServer } from "./strict_server.ts";

/** Listens to a server, and to the lab around it. */
export type ProgramListener = (event: ServerEvent | LabEvent, request?: EventRequest) => void;

/** What every step of the start needs. */
export interface ServerStart {
  invocation: Invocation;
  configuration: Configuration;
  listenAddress: ListenAddress;
  store: Store;
  onEvent: ProgramListener;
  metrics: MetricsListening | undefined;
  /** Returns where the pages of a lab are, once they have a port of their own. */
  pagesUrl: () => string | undefined;
}

export async function openServer(start: ServerStart, port: number): Promise<InternalServer | Lab> {
  const server = await createServer(start, port);
  await server.ready();
  if (start.invocation.command === "serve") await checkNoTestKeys(server);
  return server;
}

async function createServer(start: ServerStart, port: number): Promise<InternalServer | Lab> {
  const { invocation, configuration, store, onEvent, pagesUrl } = start;
  const config = {
    issuer: listenAddressOf(configuration, port),
    ...configuration.server,
    store,
    onEvent: (event: ServerEvent, request?: EventRequest) => {
      if (!isBakedKey(event)) onEvent(event, request);
      configuration.server.onEvent?.(event, request);
    },
  };
  if (invocation.command === "serve") return createStrictServer(config, configuration.lab);
  const { openLab } = await import("../../lab/open_lab.ts");
  return openLab({
    ...config,
    ...configuration.lab,
    ...labPowersOf(invocation),
    onLabEvent: onEvent,
    redirectUris: invocation.values.get("redirect-uri"),
    labToken: valueOf(invocation, "lab-token"),
    controlApart: invocation.values.has("lab-port"),
    pagesUrl,
  });
}

/** Whether an event reports a built-in key, which every lab has. */
function isBakedKey(event: ServerEvent): boolean {
  return event.type === "key.made" && event.kid.startsWith(testOnly);
}

/** Returns the powers that the command line gives a lab. */
function labPowersOf(invocation: Invocation): LabFileConfig {
  const signIn = valueOf(invocation, "sign-in");
  const drillOrigins = invocation.values.get("drill-origin");
  return {
    ...invocation.values.has("any-client") && { anyClient: true },
    ...invocation.values.has("sign-in-by-hint") && { signInByHint: true },
    ...signIn !== undefined && { signIn },
    ...drillOrigins && { drillOrigins },
  };
}
