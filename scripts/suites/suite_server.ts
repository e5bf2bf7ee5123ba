import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inFolder } from "../../tests/support/folder.ts";
import { startProgram } from "../../tests/support/program.ts";

const initialAccessToken = "an-initial-access-token-of-32-characters";

/** A strict server. Each suite registers its clients with the initial access token. */
const config = {
  port: 0,
  store: "memory",
  users: [{
    name: "alice",
    password: "alice-has-a-password",
    claims: { name: "Alice Adler", email: "alice@example.com" },
  }],
  scopes: {
    openid: "Know who you are",
    profile: "See your profile",
    email: "See your email address",
    offline_access: "Stay signed in",
    read: "Read your notes",
  },
  resources: ["https://mcp.example/mcp"],
  registration: { initialAccessToken, trusted: true },
  clientMetadataDocuments: true,
  // Auth.js reads the name of the user from the ID token.
  idTokenClaims: "by-scope",
  grantTypes: [
    ...["authorization_code", "refresh_token", "client_credentials"],
    "urn:ietf:params:oauth:grant-type:device_code",
  ],
};

/** What a suite must know of the server, as environment variables. */
export interface SuiteEnvironment extends Record<string, string> {
  HALLPASS_ISSUER: string;
  HALLPASS_INITIAL_ACCESS_TOKEN: string;
}

/** Calls a function while `hallpass serve` runs. */
export async function withSuiteServer<T>(
  command: string[],
  act: (env: SuiteEnvironment) => Promise<T>,
): Promise<T> {
  return await inFolder(async (folder) => {
    const file = join(folder, "hallpass.json");
    await writeFile(file, JSON.stringify(config));
    const maxMinutes = 60;
    const args = ["serve", "--config", file];
    const server = await startProgram(args, {}, command, maxMinutes * 60_000);
    try {
      return await act({
        HALLPASS_ISSUER: server.issuer,
        HALLPASS_INITIAL_ACCESS_TOKEN: initialAccessToken,
      });
    } finally {
      await server.stop();
    }
  });
}
