import { addressesOf, checkAddresses } from "../config/addresses.ts";
import { collectProblems } from "../config/problems.ts";
import type { Call, Command, World } from "./command.ts";
import { done, failed } from "./command.ts";
import { addressOf, hostOf, readConfiguration } from "./configuration.ts";
import { isInContainer } from "./container.ts";
import { advise } from "./doctor/advice.ts";
import type { Visit } from "./doctor/judge.ts";
import { judge } from "./doctor/judge.ts";
import { lookAt } from "./doctor/look_at.ts";
import type { Finding, Place } from "./doctor/place.ts";
import { findObstacles } from "./doctor/place.ts";
import type { Option } from "./options.ts";
import { url as healthUrl } from "./options.ts";
import { lab } from "./serve.ts";

const url: Option = {
  ...healthUrl,
  repeatable: true,
  help: "look here as well, as a client that takes the URL for the issuer; may be repeated",
};

/** Looks at a server from where its clients stand. It takes what `lab` and `serve` take, so that one word of the command line changes. */
export const doctor: Command = {
  name: "doctor",
  help: "looks at what can be reached from here and by what name, and prints the configuration that works with containers",
  options: [url, ...lab.options],
  async run(call, world) {
    const urls = (call.values.get("url") ?? []).map(withoutDocument);
    const place = urls.length > 0 && !namesServer(call) ? undefined : await readPlace(call, world);
    const findings = await examine(place, urls);
    world.print([
      ...place ? describe(place) : [],
      ...findings.map(({ level, says }) => `${level.padEnd(9)}${says}`),
      "",
      advise(place?.issuer ?? urls[0], place?.listens.port ?? portOf(urls[0])),
    ].join("\n"));
    return findings.some(({ level }) => level === "problem") ? failed : done;
  },
};

/** Whether anything is said of a server, beside the addresses to look at. */
function namesServer({ values }: Call): boolean {
  return ["config", "issuer", "front-channel", "back-channel"].some((name) => values.has(name));
}

/** Who gives the address of the metadata means the issuer that it is about. */
function withoutDocument(url: string): string {
  return url.replace(/\/\.well-known\/(?:openid-configuration|oauth-authorization-server)/, "");
}

async function readPlace(call: Call, world: World): Promise<Place> {
  const configuration = await readConfiguration(call, world.environment);
  const { program, server } = configuration;
  const port = program.port || 9000;
  const given = { issuer: addressOf(configuration, port), ...server };
  const problems = collectProblems();
  checkAddresses({ ...given, insecure: { httpIssuer: true } }, () => true, problems.report);
  problems.throwAny("look for the server");
  const listens = { host: hostOf(call, configuration), port };
  return { ...addressesOf(given), listens, inContainer: await isInContainer(world.environment) };
}

/** Looks at every address at once: each may take seconds to stay silent. */
async function examine(place: Place | undefined, urls: readonly string[]): Promise<Finding[]> {
  const visits: Visit[] = [
    ...(place?.addresses ?? []).map((address) => ({ address, expected: place!.issuer, place })),
    ...urls.map((address) => ({ address, expected: address })),
  ];
  const seen = await Promise.all(visits.map(({ address }) => lookAt(address)));
  const someAnswer = seen.some(({ kind }) => kind === "server");
  return [
    ...place ? findObstacles(place) : [],
    ...visits.flatMap((visit, at) => judge(seen[at], visit, someAnswer)),
  ];
}

function describe({ issuer, frontChannel, backChannel, listens, inContainer }: Place): string[] {
  return [
    `Issuer        ${issuer}`,
    `Browsers      ${frontChannel}`,
    `Applications  ${backChannel}`,
    `Listens       ${listens.host}, port ${listens.port}${inContainer ? ", in a container" : ""}`,
    "",
  ];
}

function portOf(address: string): number {
  return Number(new URL(address).port) || 9000;
}
