import { startableClients, startFlow } from "../../lab/client_role/start_flow.ts";
import { demoKey } from "../../lab/demo/demo_keys.ts";
import { requireEndpointUrl } from "../../lab/dialect/lab_endpoints.ts";
import type { Lab } from "../../lab/lab.ts";
import type { ClientConfig } from "../../server/features.ts";
import { shellQuote } from "../../server/util/text/shell_quote.ts";
import type { SecretSources } from "../configuration/secret_variables.ts";
import type { Colors } from "../terminal/color.ts";
import { printable } from "../terminal/printable.ts";

/** The methods of clients whose token request a shell can send. */
const shellMethods: readonly string[] = ["client_secret_post", "client_secret_basic"];

/** Returns how to start a flow: on the home page, or by hand. */
export async function startLines(
  lab: Lab,
  variables: SecretSources,
  colors: Colors,
): Promise<string[]> {
  const clients = startableClients(lab);
  if (clients.length === 0) return ["  No client can start a flow from here."];
  const byHand = clients.filter(canStartByHand);
  const client = byHand.find(({ secret }) => !secret) ?? byHand[0];
  const lines = client && await handLines(lab, client, { variables, colors });
  return lines ?? ["  Start a flow on the home page.", ...keyLines(clients)];
}

/** Whether a shell can send the token request of a client: it signs nothing. */
function canStartByHand({ jwks, jwksUri, dpop, disabled, ...client }: ClientConfig): boolean {
  const { secret, authentication: methods } = client;
  const hasOnlyKeys = !secret && (jwks || jwksUri);
  const needsCertificate = !secret && methods?.some((each) => each.endsWith("tls_client_auth"));
  const sendsSecret = !secret || !methods ||
    methods.some((method) => shellMethods.includes(method));
  return !hasOnlyKeys && !needsCertificate && dpop !== "required" && !disabled && sendsSecret;
}

/** Returns a link and a command, or undefined if no link can start a flow of this client. */
async function handLines(
  lab: Lab,
  client: ClientConfig,
  { variables, colors }: { variables: SecretSources; colors: Colors },
): Promise<string[] | undefined> {
  const flow = await startFlow(lab, { client }).catch(() => undefined);
  // A pushed request expires before anyone opens its link.
  if (!flow || new URL(flow.url).searchParams.has("request_uri")) return undefined;
  const fields = {
    grant_type: "authorization_code",
    client_id: client.id,
    redirect_uri: flow.redirectUri,
    code_verifier: flow.codeVerifier,
  };
  const options = [
    ...authenticationOptions(client, variables),
    ...Object.entries(fields).map(([name, value]) => formOption(name, value)),
    "-d code=",
  ];
  const url = requireEndpointUrl(lab, "token_endpoint");
  return [
    "  Start a flow on the home page, or open this link:",
    `    ${colors.link(printable(flow.url))}`,
    "  It ends with a code. Append it to this command to get tokens:",
    `    ${printable(`curl ${shellQuote(url)} ${options.join(" ")}`)}`,
  ];
}

function authenticationOptions(
  { id, secret, authentication: methods }: ClientConfig,
  variables: SecretSources,
): string[] {
  if (!secret) return [];
  const variable = variables.get(secret);
  const sendsInBody = !methods || methods.includes("client_secret_post");
  if (variable !== undefined) {
    return sendsInBody
      ? [`--data-urlencode "client_secret=$${variable}"`]
      : [`-u "${encodeURIComponent(id)}:$${variable}"`];
  }
  // The two parts of HTTP Basic are form-encoded (OAuth 2.1, section 2.4.1).
  return sendsInBody
    ? [formOption("client_secret", secret)]
    : [`-u ${shellQuote(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`];
}

/** Encodes a value only where it needs that: the command stays short. */
function formOption(name: string, value: string): string {
  const isPlain = /^[\w.:/~-]*$/.test(value);
  return `${isPlain ? "-d" : "--data-urlencode"} ${shellQuote(`${name}=${value}`)}`;
}

/** The key that all demo clients share, where each of them needs one. */
function keyLines(clients: readonly ClientConfig[]): string[] {
  const isDemo = clients.some(({ jwks }) =>
    jwks?.keys.some((key) => key.kid === demoKey.kid && key.x === demoKey.x)
  );
  if (!isDemo) return [];
  return ["  The key of these clients, which is public:", `    ${JSON.stringify(demoKey)}`];
}
