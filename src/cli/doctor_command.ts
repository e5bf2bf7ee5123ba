import { addressesOf, checkAddresses } from "../config/addresses.ts";
import { collectProblems } from "../config/problems.ts";
import { type Command, done, failed, type Invocation, type Terminal } from "./command.ts";
import { hostOf, listenAddressOf, readConfiguration } from "./configuration.ts";
import { isInContainer } from "./container.ts";
import { advise } from "./doctor/advice.ts";
import { type Deployment, diagnoseDeployment, type Diagnosis } from "./doctor/deployment.ts";
import { diagnose, type ProbedAddress } from "./doctor/diagnose.ts";
import { probe } from "./doctor/probe.ts";
import { type Option, url as healthUrl } from "./options.ts";
import { lab } from "./serve_command.ts";

const url: Option = {
  ...healthUrl,
  repeatable: true,
  help: "look here as well, as a client that takes the URL for the issuer; may be repeated",
};

/** Looks at a server from where its clients stand. It takes what `lab` and `serve` take, so that one word of the command line changes. */
export const doctor: Command = {
  name: "doctor",
  help:
    "looks at what can be reached from here and by what name, and prints the configuration that works with containers",
  options: [url, ...lab.options],
  async run(invocation, terminal) {
    const urls = (invocation.values.get("url") ?? []).map(withoutDocument);
    const deployment = urls.length > 0 && !namesServer(invocation)
      ? undefined
      : await readPlace(invocation, terminal);
    const findings = await examine(deployment, urls);
    terminal.print([
      ...deployment ? describe(deployment) : [],
      ...findings.map(({ level, says }) => `${level.padEnd(9)}${says}`),
      "",
      advise(deployment?.issuer ?? urls[0], deployment?.listens.port ?? portOf(urls[0])),
    ].join("\n"));
    return findings.some(({ level }) => level === "problem") ? failed : done;
  },
};

/** Whether anything is said of a server, beside the addresses to look at. */
function namesServer({ values }: Invocation): boolean {
  return ["config", "issuer", "front-channel", "back-channel"].some((name) => values.has(name));
}

/** Who gives the address of the metadata means the issuer that it is about. */
function withoutDocument(url: string): string {
  return url.replace(/\/\.well-known\/(?:openid-configuration|oauth-authorization-server)/, "");
}

async function readPlace(invocation: Invocation, terminal: Terminal): Promise<Deployment> {
  const configuration = await readConfiguration(invocation, terminal.environment);
  const { program, server } = configuration;
  const port = program.port || 9000;
  const given = { issuer: listenAddressOf(configuration, port), ...server };
  const problems = collectProblems();
  checkAddresses({ ...given, insecure: { httpIssuer: true } }, () => true, problems.report);
  problems.throwAny("look for the server");
  const listens = { host: hostOf(invocation, configuration), port };
  return { ...addressesOf(given), listens, inContainer: await isInContainer(terminal.environment) };
}

/** Looks at every address at once: each may take seconds to stay silent. */
async function examine(
  deployment: Deployment | undefined,
  urls: readonly string[],
): Promise<Diagnosis[]> {
  const visits: ProbedAddress[] = [
    ...(deployment?.addresses ?? []).map((address) => ({
      address,
      expected: deployment!.issuer,
      place: deployment,
    })),
    ...urls.map((address) => ({ address, expected: address })),
  ];
  const seen = await Promise.all(visits.map(({ address }) => probe(address)));
  const someAnswer = seen.some(({ kind }) => kind === "server");
  return [
    ...deployment ? diagnoseDeployment(deployment) : [],
    ...visits.flatMap((visit, at) => diagnose(seen[at], visit, someAnswer)),
  ];
}

function describe(
  { issuer, frontChannelUrl, backChannelUrl, listens, inContainer }: Deployment,
): string[] {
  return [
    `Issuer        ${issuer}`,
    `Browsers      ${frontChannelUrl}`,
    `Applications  ${backChannelUrl}`,
    `Listens       ${listens.host}, port ${listens.port}${inContainer ? ", in a container" : ""}`,
    "",
  ];
}

function portOf(address: string): number {
  return Number(new URL(address).port) || 9000;
}
