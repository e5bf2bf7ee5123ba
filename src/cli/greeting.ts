import { issuerUrl } from "../protocol/issuer_url.ts";
import { randomSecret } from "../issuer/random.ts";
import { authorizationLink, ownRedirectUri } from "../lab/flows.ts";
import { demoClients, demoUsers } from "../lab/demo.ts";
import type { Server } from "../server.ts";

/** What a lab says when it is there: everything a newcomer needs for the first flow. */
export async function greetLab(server: Server, version: string, ownClients: boolean): Promise<string> {
  const { issuer } = server;
  const lines = [
    `Hallpass ${version}, a lab for OAuth clients. Test only: whoever can reach it can sign in as anybody.`,
    "",
    `  Issuer     ${issuer}`,
    `  Home page  ${issuerUrl(issuer, "/")}`,
  ];
  return [...lines, ...ownClients ? [] : await demoLines(server), ""].join("\n");
}

async function demoLines({ issuer, context }: Server): Promise<string[]> {
  const clients = demoClients(issuer);
  const [first] = clients;
  const codeVerifier = randomSecret();
  const link = await authorizationLink(
    context,
    { clientId: first.id, redirectUri: ownRedirectUri(issuer, first)!, codeVerifier },
    randomSecret(),
  );
  return [
    `  Users      ${demoUsers.map(({ name }) => name).join(", ")}; the password is the user name`,
    `  Clients    ${
      clients.map(({ id, secret, native }) => `${id} (${secret ? `secret ${secret}` : native ? "native, public" : "public"})`).join(
        "\n             ",
      )
    }`,
    "",
    "  Try it; this asks for an authorization code:",
    `    ${link}`,
    "  The code verifier that goes with it:",
    `    ${codeVerifier}`,
  ];
}
