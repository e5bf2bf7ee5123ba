import { checkAddresses } from "../../server/config/addresses.ts";
import { collectProblems } from "../../server/config/problems.ts";
import { basePath } from "../../server/protocol/issuer_url.ts";
import type { Invocation } from "../command_line/command.ts";
import { isConfigured } from "../configuration/config_file.ts";
import { readConfiguration } from "../configuration/configuration.ts";
import { programDefaults } from "../configuration/program_config.ts";
import { type Site, siteOf } from "../operate/site.ts";
import { failure, success } from "../terminal/exit_code.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { diagnoseAddress, type ProbedAddress } from "./diagnose_address.ts";
import {
  diagnoseReadiness,
  diagnoseSite,
  diagnoseStopped,
  type Diagnosis,
  isForRealUse,
} from "./diagnose_site.ts";
import { probe } from "./probe.ts";

/** The options that describe a server, besides the URLs to probe. */
const describingOptions = ["issuer", "front-channel", "back-channel"];

/** Probes a server as its clients do. */
export async function runDoctorCommand(
  invocation: Invocation,
  terminal: Terminal,
): Promise<number> {
  const urls = (invocation.values.get("url") ?? []).map((url) =>
    url.replace(/\/\.well-known\/(?:openid-configuration|oauth-authorization-server)/, "")
  );
  const describesServer = isConfigured(invocation, terminal.environment) ||
    describingOptions.some((name) => invocation.values.has(name));
  const site = urls.length === 0 || describesServer
    ? await readSite(invocation, terminal)
    : undefined;
  const findings = await examine(site, urls);
  // Only the issuer of a lab is on this machine.
  const isForContainers = site && !isForRealUse(site) && site.isStoreInMemory;
  terminal.print([
    ...site ? describeSite(site) : [],
    ...findings.map(({ level, message }) => `${level.padEnd(9)}${message}`),
    ...isForContainers ? ["", advise(site.issuer, site.port)] : [],
  ].join("\n"));
  return findings.some(({ level }) => level === "problem") ? failure : success;
}

async function readSite(invocation: Invocation, terminal: Terminal): Promise<Site> {
  const given = await readConfiguration(invocation, terminal.environment);
  const port = given.program.port || programDefaults.port;
  const configuration = { ...given, program: { ...given.program, port } };
  const site = await siteOf(invocation, configuration, terminal.environment);
  const problems = collectProblems();
  checkAddresses({ ...site, insecure: { httpIssuer: true } }, problems.report);
  problems.throwAny("look for the server");
  return site;
}

/** Probes all addresses at once: each may take seconds to time out. */
async function examine(
  site: Site | undefined,
  urls: readonly string[],
): Promise<Diagnosis[]> {
  const results = await Promise.all(
    addressesToProbe(site, urls).map(async (probed) => ({
      probed,
      result: await probe(probed.address),
    })),
  );
  const responding = results.filter(({ result }) => result.kind === "server");
  const reached = new Set(responding.map(({ probed }) => probed.address));
  const stopped = site && reached.size === 0 ? await diagnoseStopped(site) : [];
  if (stopped.length > 0) return stopped;
  return [
    ...site ? diagnoseSite(site, reached) : [],
    ...results.flatMap(({ result, probed }) => diagnoseAddress(result, probed, reached.size > 0)),
    ...site ? await diagnoseReadiness(site) : [],
  ];
}

function addressesToProbe(
  site: Site | undefined,
  urls: readonly string[],
): ProbedAddress[] {
  const others = urls.map((address) => ({ address, expected: address }));
  if (!site) return others;
  const { addresses, issuer: expected } = site;
  return [...addresses.map((address) => ({ address, expected, site })), ...others];
}

function describeSite(site: Site): string[] {
  const { issuer, frontChannelUrl, backChannelUrl, host, port, inContainer } = site;
  return [
    `Issuer        ${issuer}`,
    `Browsers      ${frontChannelUrl}`,
    `Applications  ${backChannelUrl}`,
    `Listens       ${host}, port ${port}${inContainer ? " (this machine is a container)" : ""}`,
    "",
  ];
}

/**
 * Returns a command for the most frequent case: a browser on this machine, the application in a
 * container.
 */
export function advise(issuer: string, port: number): string {
  const path = basePath(issuer);
  const inside = `http://hallpass:${port}${path}`;
  const publicUrl = `http://localhost:${port}${path}`;
  return `For a browser on this machine and an application in a container, this lab works:
  hallpass lab --port ${port} --issuer ${inside} --front-channel ${publicUrl} --expose --lab-token TOKEN

If the browser runs in the network too, leave the front channel out.
If your application keeps the issuer ${publicUrl} and reads the metadata elsewhere (a "metadata address"):
  --issuer ${publicUrl} --back-channel ${inside}`;
}
