import { startFlow } from "../../lab/client_role/start_flow.ts";
import type { Lab } from "../../lab/control/lab.ts";
import { demoClients } from "../../lab/demo/demo_clients.ts";
import { demoKey } from "../../lab/demo/demo_key.ts";
import { demoUsers } from "../../lab/demo/demo_users.ts";
import { usesHttp } from "../../lab/lab_server/check_powers.ts";
import { ownRedirectUri } from "../../lab/lab_server/started_flow.ts";
import { browserEndpointUrl } from "../../server/issuer/context.ts";
import type { ClientConfig } from "../../server/model/client_config.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import type { RunningServer } from "../operate/start_server.ts";
import { version } from "../terminal/own_name.ts";
import { trustLines } from "./lab_tls.ts";

/** How many users and clients of a configuration are listed. */
const maxListed = 12;

/** A lab that listens. */
interface RunningLab extends Pick<RunningServer<Lab>, "server" | "address"> {
  /** The URL of the control API, if that has a port of its own. */
  controlUrl?: string | undefined;
  /** The file with the certificate to trust, if the lab made one. */
  caFile?: string | undefined;
}

/** Returns what a lab prints when it starts: everything a newcomer needs for the first flow. */
export async function greetLab(
  { server, address, controlUrl, caFile }: RunningLab,
  hasDemo: boolean,
): Promise<string> {
  const { issuer, frontChannelUrl } = server.context.settings;
  const { handsFreeUser } = server;
  return [
    `Hallpass ${version}, a lab for OAuth clients. For tests only: anyone who can reach it can ` +
    "sign in as any user.",
    "",
    `  Issuer     ${issuer}`,
    ...new URL(frontChannelUrl).origin === address ? [] : [`  Listens    ${address}`],
    `  Home page  ${issuerUrl(frontChannelUrl, "/")}`,
    ...controlUrl === undefined ? [] : [`  Lab API    ${controlUrl}`],
    ...handsFreeUser === undefined
      ? []
      : [`  Sign-in    hands-free: every authorization request signs in ${handsFreeUser}`],
    ...caFile === undefined ? [] : trustLines(caFile),
    ...httpLines(server),
    ...hasDemo ? await demoLines(server) : directoryLines(server),
    "",
  ].join("\n");
}

/** The users and the clients of a configuration. */
function directoryLines({ users, clients }: Lab): string[] {
  return [
    ...listLines("Users", users.list().map(({ name }) => name), ", "),
    ...listLines("Clients", clients.list().map((each) => `${each.id} (${kindOf(each)})`), "\n"),
  ];
}

/** Lists the clients whose codes travel over http to other machines. */
function httpLines({ clients }: Lab): string[] {
  const ids = clients.list().filter(usesHttp).map(({ id }) => id);
  return listLines("Plain http", ids, ", ").map((line) =>
    `${line}: redirect URIs without https, which only a lab allows`
  );
}

/** The beginning of a list; a configuration may have hundreds. */
function listLines(title: string, entries: readonly string[], separator: string): string[] {
  if (entries.length === 0) return [];
  const rest = entries.length - maxListed;
  const shown = [...entries.slice(0, maxListed), ...rest > 0 ? [`and ${rest} more`] : []];
  return [`  ${title.padEnd(10)} ${shown.join(separator).replaceAll("\n", `\n${" ".repeat(13)}`)}`];
}

async function demoLines(server: Lab): Promise<string[]> {
  const { issuer, frontChannelUrl, profile } = server.context.settings;
  const clients = demoClients({ issuer, frontChannelUrl, profile: profile.name });
  const names = clients.map((client) => `${client.id} (${describe(client)})`);
  const lines = [
    `  Users      ${demoUsers.map(({ name }) => name).join(", ")}; the password is the user name`,
    `  Clients    ${names.join("\n             ")}`,
    "",
  ];
  const client = clients.find(({ jwks, secret }) => !jwks && !secret);
  const redirectUri = client && ownRedirectUri(frontChannelUrl, client);
  if (redirectUri) {
    return [...lines, ...await walkthrough(server, client)];
  }
  return [
    ...lines,
    "  Start from the home page. The key of these clients, which is public:",
    `    ${JSON.stringify(demoKey)}`,
  ];
}

/** A flow that a newcomer can walk through by hand. */
async function walkthrough(lab: Lab, client: ClientConfig): Promise<string[]> {
  const { url, codeVerifier, redirectUri } = await startFlow(lab, { client });
  const fields = [
    "grant_type=authorization_code",
    `client_id=${client.id}`,
    `redirect_uri=${redirectUri}`,
    `code_verifier=${codeVerifier}`,
    "code=",
  ];
  return [
    "  Start from the home page, or by hand. This link requests an authorization code:",
    `    ${url}`,
    "  The code verifier for it:",
    `    ${codeVerifier}`,
    "  Add the code that comes back to the end of this command, which requests tokens:",
    `    curl ${browserEndpointUrl(lab.context, "token_endpoint")} -d ${fields.join(" -d ")}`,
  ];
}

/** Describes a demo client with its secret, which is public. */
function describe(client: ClientConfig): string {
  return client.secret ? `secret ${client.secret}` : kindOf(client);
}

function kindOf({ jwks, jwksUri, secret, native }: ClientConfig): string {
  if (jwks || jwksUri) return "private_key_jwt";
  if (secret) return "confidential";
  return native ? "native, public" : "public";
}
