import { addressesOf, checkAddresses } from "../../server/config/addresses.ts";
import { collectProblems } from "../../server/config/problems.ts";
import type { Command, Invocation } from "../command_line/command.ts";
import { labOptions } from "../command_line/lab_options.ts";
import type { Option } from "../command_line/option.ts";
import { serverOptions, url as healthUrl } from "../command_line/options.ts";
import { isConfigured } from "../configuration/config_file.ts";
import { hostOf, listenAddressOf, readConfiguration } from "../configuration/configuration.ts";
import { advise } from "../doctor/advice.ts";
import { type Deployment, isForRealUse } from "../doctor/deployment.ts";
import { diagnoseAddress, type ProbedAddress } from "../doctor/diagnose_address.ts";
import { diagnoseDeployment } from "../doctor/diagnose_deployment.ts";
import { diagnoseReadiness, diagnoseStopped } from "../doctor/diagnose_readiness.ts";
import type { Diagnosis } from "../doctor/diagnosis.ts";
import { probe } from "../doctor/probe.ts";
import { readyUrlOf } from "../doctor/probe_response.ts";
import { exposureWarnings, isInContainer } from "../operate/exposure.ts";
import { failure, success } from "../terminal/exit_code.ts";
import type { Terminal } from "../terminal/terminal.ts";

const defaultPort = 9000;

const url: Option = {
  ...healthUrl,
  repeatable: true,
  help: "also probe this URL, as a client that uses it as the issuer; may be repeated",
};

/** The options that describe a server, beside the URLs to probe. */
const describingOptions = ["issuer", "front-channel", "back-channel"];

/**
 * Probes a server as its clients do. It takes the options of `lab` and `serve`, so that only the
 * command's name changes.
 */
export const doctor: Command = {
  name: "doctor",
  help: "shows which addresses can be reached from here, and whether the server is ready",
  examples: ["hallpass doctor", "hallpass doctor --config hallpass.json"],
  options: [url, ...serverOptions, ...labOptions],
  async run(invocation, terminal) {
    const urls = (invocation.values.get("url") ?? []).map(issuerIn);
    const describesServer = isConfigured(invocation, terminal.environment) ||
      describingOptions.some((name) => invocation.values.has(name));
    const deployment = urls.length === 0 || describesServer
      ? await readDeployment(invocation, terminal)
      : undefined;
    const findings = await examine(deployment, urls);
    terminal.print([
      ...deployment ? describeDeployment(deployment) : [],
      ...findings.map(({ level, message }) => `${level.padEnd(9)}${message}`),
      "",
      adviseFor(deployment, urls),
    ].join("\n"));
    return findings.some(({ level }) => level === "problem") ? failure : success;
  },
};

/** Returns the issuer in the URL of a metadata document. */
function issuerIn(url: string): string {
  return url.replace(/\/\.well-known\/(?:openid-configuration|oauth-authorization-server)/, "");
}

async function readDeployment(invocation: Invocation, terminal: Terminal): Promise<Deployment> {
  const configuration = await readConfiguration(invocation, terminal.environment);
  const port = configuration.program.port || defaultPort;
  const addresses = {
    issuer: listenAddressOf(configuration, port),
    ...configuration.server,
    insecure: { httpIssuer: true },
  };
  const problems = collectProblems();
  checkAddresses(addresses, problems.report);
  problems.throwAny("look for the server");
  const listens = { host: hostOf(invocation, configuration), port };
  const inContainer = await isInContainer(terminal.environment);
  const { metricsPort, metricsHost, store = "memory" } = configuration.program;
  const exposed = exposureWarnings({
    issuer: addresses.issuer,
    host: listens.host,
    hasTls: configuration.hasTls,
    trustedProxies: configuration.server.trustedProxies ?? [],
    metricsHost: metricsPort === undefined ? undefined : metricsHost,
    inContainer,
  });
  const readyUrl = readyUrlOf(configuration);
  const keepsData = store !== "memory";
  return { ...addressesOf(addresses), listens, readyUrl, keepsData, inContainer, exposed };
}

/** Probes all addresses at once: each may take seconds to time out. */
async function examine(
  deployment: Deployment | undefined,
  urls: readonly string[],
): Promise<Diagnosis[]> {
  const results = await Promise.all(
    addressesToProbe(deployment, urls).map(async (probed) => ({
      probed,
      result: await probe(probed.address),
    })),
  );
  const responding = results.filter(({ result }) => result.kind === "server");
  const reached = new Set(responding.map(({ probed }) => probed.address));
  const stopped = deployment && reached.size === 0 ? await diagnoseStopped(deployment) : [];
  if (stopped.length > 0) return stopped;
  return [
    ...deployment ? diagnoseDeployment(deployment, reached) : [],
    ...results.flatMap(({ result, probed }) => diagnoseAddress(result, probed, reached.size > 0)),
    ...deployment ? await diagnoseReadiness(deployment) : [],
  ];
}

function addressesToProbe(
  deployment: Deployment | undefined,
  urls: readonly string[],
): ProbedAddress[] {
  const others = urls.map((address) => ({ address, expected: address }));
  if (!deployment) return others;
  const { addresses, issuer: expected } = deployment;
  return [...addresses.map((address) => ({ address, expected, deployment })), ...others];
}

function describeDeployment(deployment: Deployment): string[] {
  const { issuer, frontChannelUrl, backChannelUrl, listens, inContainer } = deployment;
  return [
    `Issuer        ${issuer}`,
    `Browsers      ${frontChannelUrl}`,
    `Applications  ${backChannelUrl}`,
    `Listens       ${listens.host}, port ${listens.port}${inContainer ? ", in a container" : ""}`,
    "",
  ];
}

function adviseFor(deployment: Deployment | undefined, [url = ""]: readonly string[]): string {
  if (deployment && (isForRealUse(deployment) || deployment.keepsData)) {
    return "Files for nginx, Caddy, systemd, Docker Compose and Kubernetes: scripts/deploy";
  }
  if (deployment) return advise(deployment.issuer, deployment.listens.port);
  return advise(url, Number(new URL(url).port) || defaultPort);
}
