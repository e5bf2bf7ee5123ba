import { browserEndpointUrl } from "../issuer/context.ts";
import { randomSecret } from "../issuer/random.ts";
import { demoClients } from "../lab/demo/demo_clients.ts";
import { demoKey } from "../lab/demo/demo_key.ts";
import { demoUsers } from "../lab/demo/demo_users.ts";
import { authorizationLink, ownRedirectUri } from "../lab/pages/flows.ts";
import type { ClientConfig } from "../model/client_config.ts";
import { issuerUrl } from "../protocol/issuer_url.ts";
import type { InternalServer } from "../server.ts";
import type { RunningServer } from "./start_server.ts";

/** What a lab says when it is there: everything a newcomer needs for the first flow. */
export async function greetLab(
  { server, address, powers }: RunningServer,
  version: string,
  hasDemo: boolean,
): Promise<string> {
  const { issuer, frontChannelUrl } = server.context.settings;
  const lines = [
    `Hallpass ${version}, a lab for OAuth clients. Test only: whoever can reach it can sign in as anybody.`,
    "",
    `  Issuer     ${issuer}`,
    ...new URL(frontChannelUrl).origin === address ? [] : [`  Listens    ${address}`],
    `  Home page  ${issuerUrl(frontChannelUrl, "/")}`,
    ...powers === undefined ? [] : [`  Powers     ${powers}`],
  ];
  return [...lines, ...hasDemo ? await demoLines(server) : [], ""].join("\n");
}

async function demoLines({ context }: InternalServer): Promise<string[]> {
  const { issuer, frontChannelUrl, profile } = context.settings;
  const clients = demoClients({ issuer, frontChannelUrl, profile: profile.name });
  const names = clients.map((client) => `${client.id} (${describe(client)})`);
  const who = [
    `  Users      ${demoUsers.map(({ name }) => name).join(", ")}; the password is the user name`,
    `  Clients    ${names.join("\n             ")}`,
    "",
  ];
  const [spa] = clients;
  if (spa.jwks) {
    return [
      ...who,
      "  Try it from the home page. The key of these clients, which everybody has:",
      `    ${JSON.stringify(demoKey)}`,
    ];
  }
  const codeVerifier = randomSecret(context);
  const redirectUri = ownRedirectUri(frontChannelUrl, spa)!;
  const link = await authorizationLink(
    context,
    { clientId: spa.id, redirectUri, codeVerifier },
    randomSecret(context),
  );
  return [
    ...who,
    "  Try it from the home page, or by hand. This link asks for an authorization code:",
    `    ${link}`,
    "  The code verifier that goes with it:",
    `    ${codeVerifier}`,
    "  With the code that comes back at the end of it, this asks for tokens:",
    `    curl ${
      browserEndpointUrl(context, "token_endpoint")
    } -d grant_type=authorization_code -d client_id=${spa.id} -d redirect_uri=${redirectUri} -d code_verifier=${codeVerifier} -d code=`,
  ];
}

function describe({ jwks, secret, native }: ClientConfig): string {
  if (jwks) return "private_key_jwt";
  if (secret) return `secret ${secret}`;
  return native ? "native, public" : "public";
}
