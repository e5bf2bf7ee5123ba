import { labClaimWarnings } from "../../lab/demo/claim_warnings.ts";
import type { Lab } from "../../lab/lab.ts";
import type { Invocation } from "../command_line/command.ts";
import { type Configuration, listenAddressOf } from "../configuration/configuration.ts";
import { secretSourcesOf } from "../configuration/secret_variables.ts";
import { followInLab } from "../features/watch/lab.ts";
import { reachWarnings } from "../operate/address_warnings.ts";
import type { Companion } from "../operate/companion.ts";
import { announce, runServer } from "../operate/run_server.ts";
import type { ServerAtSite } from "../operate/start_server.ts";
import { colorsFor } from "../terminal/color.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { greetLab } from "./greeting.ts";
import { hasVisibleParent } from "./parent_process.ts";
import { prepareLab } from "./prepare_lab.ts";

/** What features do with a lab that runs. */
const companions: ReadonlyArray<Companion<Lab>> = [
  followInLab,
];

/** Starts a lab, and prints everything that a newcomer needs for the first flow. */
export async function runLab(invocation: Invocation, terminal: Terminal): Promise<void> {
  const preparing = prepareLab(invocation, terminal);
  const running = await runServer(preparing, terminal);
  const { controlUrl, configuration, ...prepared } = await preparing;
  const { caFile, realHosts } = prepared;
  const { server, site } = running;
  const address = listenAddressOf(site, site.port);
  const lab = { server, address, controlUrl: controlUrl(), caFile, realHosts };
  const { environment, isInteractive } = terminal;
  await announce(terminal, running, {
    form: configuration.program.log,
    greeting: await greetLab(lab, {
      colors: colorsFor(environment, isInteractive),
      secretSources: secretSourcesOf(configuration.secretVariables, environment),
    }),
    warnings: [
      ...unusedOptionWarnings(invocation, configuration),
      ...labWarnings(running, isInteractive && hasVisibleParent()),
    ],
  });
  const accompanied = { invocation, terminal, running, configuration: prepared.given };
  for (const accompany of companions) accompany(accompanied);
}

/** Returns a warning for an option that the configuration leaves without effect. */
export function unusedOptionWarnings(
  { values }: Invocation,
  { server }: Configuration,
): string[] {
  if (!values.has("redirect-uri") || server.clients === undefined) return [];
  return [
    "--redirect-uri has no effect: it is for the demo clients, " +
    "and the configuration has clients. Add the URI to the redirectUris of one of them.",
  ];
}

/** Returns what the user of a lab should know when it starts. */
export function labWarnings({ server, site }: ServerAtSite, fromShell = false): string[] {
  const inContainer = site.inContainer && !fromShell;
  return [
    ...reachWarnings({ ...site, inContainer }),
    ...labClaimWarnings(server.context.settings),
  ];
}
