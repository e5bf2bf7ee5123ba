import { idleWarning } from "../../lab/control/idle.ts";
import { loadCompletion } from "../../lab/handling/complete_settings.ts";
import type { Lab } from "../../lab/lab.ts";
import type { LabConfig } from "../../lab/lab_config.ts";
import { testOnly } from "../../server/model/signing.ts";
import { type Invocation, valueOf } from "../command_line/command.ts";
import { type Configuration, hostOf, listenAddressOf } from "../configuration/configuration.ts";
import { readTls } from "../configuration/program_config.ts";
import { checkDrillPermissions } from "../features/drill/lab.ts";
import { planProviders } from "../features/providers/lab/plan_providers.ts";
import { listenOn } from "../operate/listen_on.ts";
import { readServerConfiguration, type ServerRun } from "../operate/run_server.ts";
import { siteOf } from "../operate/site.ts";
import {
  type ProgramListener,
  type ServerOpening,
  type ServerStart,
  withListener,
} from "../operate/start_server.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { chooseLabFormat } from "./lab_log.ts";
import { checkExposure, checkLabConfig, labPowersOf, withLabFetch } from "./lab_settings.ts";
import { makeLabTls } from "./lab_tls.ts";
import { checkParent, whenNpxEnds, whenParentEnds } from "./parent_process.ts";
import { type CertifiedHosts, type GivenLab, type PlannedLab, portAdvice } from "./real_hosts.ts";

/** What features check before a lab starts. */
const featureChecks: ReadonlyArray<(invocation: Invocation) => void> = [
  checkDrillPermissions,
];

/** What features make of the settings of a lab before it opens. */
const planners: ReadonlyArray<(invocation: Invocation, given: GivenLab) => Promise<PlannedLab>> = [
  planProviders,
];

/** A lab to run, and what it has besides every other server. */
export interface LabRun extends ServerRun<Lab> {
  /** The configuration as it was read. */
  given: Configuration;
  /** Returns the URL of the control API, once it listens on a separate port. */
  controlUrl(): string | undefined;
  /** The file with the certificate to trust, if the lab made one. */
  caFile: string | undefined;
  /** The hosts of others that lead to the lab, if there are any. */
  realHosts: CertifiedHosts | undefined;
}

/** Prepares the lab that the command line asks for. */
export async function prepareLab(invocation: Invocation, terminal: Terminal): Promise<LabRun> {
  const { caFile, realHosts, given, ...plan } = await planLab(invocation, terminal);
  const endsWithParent = invocation.values.has("with-parent");
  if (endsWithParent) await checkParent(plan.site);
  const places: LabPlaces = { frontChannelUrl: "" };
  const pagesUrl = () => places.controlUrl?.replace(/\/lab$/, "") ?? places.frontChannelUrl;
  return {
    ...createLabStart(plan, places),
    given,
    caFile,
    realHosts,
    controlUrl: () => places.controlUrl,
    format: chooseLabFormat(plan.configuration.program, terminal, pagesUrl),
    warningAtStop: idleWarning,
    whenStoppable(stop) {
      if (endsWithParent) whenParentEnds(stop);
      else whenNpxEnds(terminal.environment, stop);
    },
  };
}

/** Reads what the command line asks for, and refuses to expose a lab by accident. */
export async function planLab(
  invocation: Invocation,
  terminal: Terminal,
): Promise<LabPlan & Pick<LabRun, "caFile" | "realHosts" | "given">> {
  const given = await readServerConfiguration(invocation, terminal, true);
  checkLabConfig(given.lab);
  const hostname = hostOf(invocation, given);
  checkExposure(invocation, hostname);
  for (const check of featureChecks) check(invocation);
  const { issuer, ...server } = withLabFetch(invocation, given.server);
  const { lab, hostNames } = await planSettings(invocation, { lab: given.lab, issuer, hostname });
  const configuration = {
    ...given,
    server: hostNames || issuer === undefined ? server : { ...server, issuer },
    lab,
  };
  const { program } = configuration;
  const labTls = await makeLabTls(invocation, configuration, hostNames);
  const { cert, key } = labTls ?? await readTls(program) ?? {};
  return {
    invocation,
    given,
    configuration,
    site: await siteOf(invocation, configuration, terminal.environment),
    listenOptions: {
      ...cert && key && { cert, key },
      // Browsers would remember it for a host that is used for tests.
      strictTransport: false,
      ...hostNames && { advice: portAdvice },
    },
    caFile: labTls?.caFile,
    realHosts: hostNames && { names: hostNames, keyHash: labTls?.keyHash ?? "" },
  };
}

/** Returns the settings of a lab with what features make of them. */
export async function planSettings(
  invocation: Invocation,
  given: GivenLab,
): Promise<PlannedLab> {
  let planned: PlannedLab = given;
  for (const plan of planners) {
    planned = { ...planned, ...await plan(invocation, { ...given, ...planned }) };
  }
  return planned;
}

/** Where browsers find a lab, once it listens. */
interface LabPlaces {
  frontChannelUrl: string;
  controlUrl?: string;
}

/** What the start of a lab needs to know. */
interface LabPlan extends Pick<ServerStart<Lab>, "configuration" | "site" | "listenOptions"> {
  invocation: Invocation;
}

/** Returns how to start a planned lab. */
export function createLabStart(
  { invocation, configuration, site, listenOptions }: LabPlan,
  places: LabPlaces = { frontChannelUrl: "" },
): ServerStart<Lab> {
  return {
    configuration,
    site,
    listenOptions,
    isRealTime: false,
    async open(config, onEvent) {
      const { openLab } = await import("../../lab/open_lab.ts");
      const complete = await completeConfig(invocation, configuration, {
        ...withListener(config, withoutBakedKeys(onEvent)),
        onLabEvent: onEvent,
        pagesUrl: () => places.controlUrl,
      });
      const lab = openLab(complete);
      await lab.ready();
      await lab.openConfiguredTenants();
      places.frontChannelUrl = lab.context.settings.frontChannelUrl;
      return lab;
    },
    async openBeside({ control }) {
      const port = valueOf(invocation, "lab-port");
      if (port === undefined) return undefined;
      const address = { ...listenOptions, hostname: site.host, port: Number(port) };
      const listening = await listenOn(() => control, address);
      places.controlUrl = `${listenAddressOf(site, listening.port)}/lab`;
      return listening;
    },
    // Responses that a lab holds back would keep their connections open.
    release: (lab) => lab.release(),
  };
}

/** Returns how a lab that runs gets another configuration: it stays, with all that it recorded. */
export function labRenewal(
  lab: Lab,
  invocation: Invocation,
  configuration: Configuration,
): ServerOpening<Lab> {
  return {
    configuration,
    async open(config) {
      lab.settings.renew(await completeConfig(invocation, configuration, config));
      return lab;
    },
  };
}

/** Returns the settings of a lab with those of the command line, and of its features. */
async function completeConfig(
  invocation: Invocation,
  configuration: Configuration,
  config: LabConfig,
): Promise<LabConfig> {
  const { features } = await import("../../lab/features.ts");
  const given = { ...config, ...configuration.lab, ...labPowersOf(invocation) };
  const complete = await loadCompletion(given, features);
  return complete(given);
}

/** Leaves out the built-in keys, which every lab has. */
function withoutBakedKeys(onEvent: ProgramListener): ProgramListener {
  return (event, request) => {
    if (event.type !== "key.made" || !event.kid.startsWith(testOnly)) onEvent(event, request);
  };
}
