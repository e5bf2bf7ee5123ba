import type { Lab } from "../../lab/lab.ts";
import { usesHttp } from "../../lab/leniencies/leniencies.ts";
import { version } from "../../runtime/version.ts";
import type { UserConfig } from "../../server/config/user_config.ts";
import type { ClientConfig } from "../../server/features.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import { describeSecret, type SecretSources } from "../configuration/secret_variables.ts";
import { companyFacts, enterpriseLines } from "../features/enterprise/lab.ts";
import { mcpLines } from "../features/mcp/lab.ts";
import { mtlsLines } from "../features/mtls/lab.ts";
import { providerLines } from "../features/providers/lab/provider_lines.ts";
import { workloadLines } from "../features/workloads/lab.ts";
import { type Entry, labeled, linked, listed } from "../operate/greeting_lines.ts";
import type { Notice } from "../operate/run_server.ts";
import { type Colors, noColors } from "../terminal/color.ts";
import { installLine } from "../terminal/installation.ts";
import { printable } from "../terminal/printable.ts";
import { startLines } from "./flow_by_hand.ts";
import { browserTrustLines, trustInCommands, trustLines } from "./lab_tls.ts";
import { type CertifiedHosts, hostLines } from "./real_hosts.ts";

/** How many users and clients are listed. */
const maxListed = 12;

/** What features play at the address of a lab. */
const playedLines: ReadonlyArray<(lab: Lab, colors: Colors) => string[]> = [
  providerLines,
];

const featureAddresses: ReadonlyArray<(lab: Lab, colors: Colors) => string[]> = [
  mcpLines,
  mtlsLines,
];

/** What features add to the greeting of a lab. */
const featureLines: ReadonlyArray<(lab: Lab, colors: Colors) => Promise<string[]>> = [
  enterpriseLines,
  workloadLines,
];

/** What features add for programs. */
const featureFacts: ReadonlyArray<(lab: Lab) => object> = [
  companyFacts,
];

export interface RunningLab {
  server: Lab;
  /** Its URL on this machine. */
  address: string;
  /** The URL of the control API, if that has a separate port. */
  controlUrl?: string | undefined;
  /** The file with the certificate to trust, if the lab made one. */
  caFile?: string | undefined;
  /** The hosts of others that lead to the lab, if there are any. */
  realHosts?: CertifiedHosts | undefined;
}

export interface GreetingStyle {
  colors?: Colors;
  /** The environment variables that hold secrets of the configuration. */
  secretSources?: SecretSources;
}

/** Returns what a lab says when it starts: in text, everything that a first flow needs. */
export async function greetLab(lab: RunningLab, style: GreetingStyle = {}): Promise<Notice> {
  const { colors = noColors, secretSources = new Map() } = style;
  const { caFile } = lab;
  const trusted = (lines: string[]) =>
    caFile === undefined ? lines : trustInCommands(lines, caFile);
  const text = [
    colors.strong(`Hallpass ${version}, a lab for OAuth clients`),
    "For tests only: anyone who can reach it can sign in as any user.",
    "",
    ...addressLines(lab, colors),
    ...directoryLines(lab.server, secretSources, colors),
    ...trusted([
      ...(await Promise.all(featureLines.map((linesOf) => linesOf(lab.server, colors)))).flat(),
      "",
      ...await startLines(lab.server, secretSources, colors),
    ]),
    "  In a test suite:",
    `    ${installLine()}`,
    "",
  ].join("\n");
  return { type: "program.started", facts: factsOf(lab), text };
}

/** What programs need to know. A log keeps no secrets. */
function factsOf(lab: RunningLab): Record<string, unknown> {
  const { server, address, controlUrl, caFile, realHosts } = lab;
  return {
    version,
    issuer: server.context.settings.issuer,
    listens: address,
    ...pagesOf(lab),
    ...Object.assign({}, ...featureFacts.map((factsOf) => factsOf(server))),
    labApi: controlUrl,
    caFile,
    hosts: realHosts?.names,
    users: server.users.list().slice(0, maxListed).map(({ name }) => name),
    clients: server.clients.list().slice(0, maxListed).map(({ id }) => id),
  };
}

/** The pages to begin with. Those of the lab may have a port of their own. */
function pagesOf(
  { server, controlUrl }: RunningLab,
): Record<"homePage" | "flows", string> & { report?: string; drill?: string } {
  const { frontChannelUrl } = server.context.settings;
  const labUrl = controlUrl ?? issuerUrl(frontChannelUrl, "/lab");
  return {
    homePage: issuerUrl(frontChannelUrl, "/"),
    flows: `${labUrl}/flows`,
    ..."report" in server.tools && { report: `${labUrl}/report` },
    ..."drill" in server.tools && { drill: `${labUrl}/drill` },
  };
}

function addressLines(lab: RunningLab, colors: Colors): string[] {
  const { server, address, controlUrl, caFile, realHosts } = lab;
  const { issuer, frontChannelUrl } = server.context.settings;
  const { homePage, flows, report, drill } = pagesOf(lab);
  const isListening = new URL(frontChannelUrl).origin === address;
  const user = server.handsFreeState.user;
  return [
    linked("Issuer", issuer, colors),
    ...isListening ? [] : [linked("Listens", address, colors)],
    ...playedLines.flatMap((linesOf) => linesOf(server, colors)),
    linked("Home page", homePage, colors),
    linked("Flows", flows, colors),
    ...report === undefined ? [] : [linked("Report", report, colors)],
    ...drill === undefined ? [] : [linked("Drill", drill, colors)],
    ...featureAddresses.flatMap((linesOf) => linesOf(server, colors)),
    ...controlUrl === undefined ? [] : [linked("Lab API", controlUrl, colors)],
    ...user === null ? [] : [
      labeled(
        "Sign-in",
        `hands-free: every authorization request signs in ${printable(user)}`,
        colors,
      ),
    ],
    ...realHosts === undefined ? [] : hostLines(realHosts, address, colors),
    ...caFile === undefined ? [] : trustLines(caFile),
    // No browser should take this lab for the real provider: hostLines has a command for one window.
    ...caFile === undefined || realHosts ? [] : browserTrustLines(caFile),
    ...httpLines(server, colors),
    "",
  ];
}

/** Lists the clients whose codes travel over http to other machines. */
function httpLines({ clients }: Lab, colors: Colors): string[] {
  const ids = clients.list().filter(usesHttp).map(({ id }) => printable(id));
  if (ids.length === 0) return [];
  const shown = firstOf(ids, (rest) => `and ${rest} more`).join(", ");
  const meaning = "redirect URIs without https, which only a lab allows";
  return [labeled("Plain http", `${shown}: ${meaning}`, colors)];
}

/** The users with their passwords, and the clients with their secrets: all are for tests. */
function directoryLines(lab: Lab, variables: SecretSources, colors: Colors): string[] {
  const users = lab.users.list().map((user): Entry => [user.name, describeUser(user, variables)]);
  const clients = lab.clients.list().map((
    each,
  ): Entry => [each.id, describeClient(each, variables)]);
  const more = (rest: number): Entry => [`and ${rest} more`, ""];
  return [
    ...listed("Users", firstOf(users, more), colors),
    ...listed("Clients", firstOf(clients, more), colors),
  ];
}

/** The beginning of a list; a configuration may have hundreds. */
function firstOf<T>(entries: readonly T[], more: (rest: number) => T): T[] {
  const rest = entries.length - maxListed;
  return rest > 0 ? [...entries.slice(0, maxListed), more(rest)] : [...entries];
}

function describeUser({ password, passwordHash }: UserConfig, variables: SecretSources): string {
  if (password !== undefined) return `password ${describeSecret(password, variables)}`;
  return passwordHash === undefined ? "no password" : "password known as a hash";
}

function describeClient(client: ClientConfig, variables: SecretSources): string {
  const { authentication, jwks, jwksUri, secret, native } = client;
  if (secret) return `secret ${describeSecret(secret, variables)}`;
  const certificate = authentication?.find((each) => each.endsWith("tls_client_auth"));
  if (certificate) return certificate;
  if (jwks || jwksUri) return "private_key_jwt";
  return native ? "public, native" : "public";
}
