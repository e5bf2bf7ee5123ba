import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { initialAccessToken } from "../../tests/support/registration.ts";
import { startProcess } from "../trials/process.ts";

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
  jwe: true,
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

/** Where the Inspector listens for the response, as its documentation says (2026-07-28). */
const inspectorCallback = "http://127.0.0.1:6276/oauth/callback";

/** Calls a function while what the suites of a topic use is running. */
export async function withServers<T>(
  { command, folder }: { command: readonly string[]; folder: string },
  topic: "mcp" | undefined,
  act: (env: SuiteEnvironment) => Promise<T>,
): Promise<T> {
  const file = join(folder, "hallpass.json");
  await writeFile(file, JSON.stringify({ ...config, ...topic && { profile: topic } }));
  const args = ["--port", "0", "--sign-in", "alice", "--redirect-uri", inspectorCallback];
  const server = await startProcess([...command, "serve", "--config", file]);
  const lab = topic && await startProcess([...command, "lab", ...args]);
  try {
    return await act({
      HALLPASS_ISSUER: server.issuer,
      HALLPASS_INITIAL_ACCESS_TOKEN: initialAccessToken,
      ...lab && { HALLPASS_LAB: lab.issuer },
    });
  } finally {
    await server.stop();
    await lab?.stop();
  }
}
