/** A client, as it authenticates itself. */
export interface BenchClient {
  id: string;
  secret: string;
}

/** Long enough not to be guessed: guesses are counted for short ones only. */
const secret = "a-secret-of-32-characters-at-least";

/** The client of the flows. */
export const client: BenchClient = { id: "web", secret };

/** A client whose access tokens are opaque, and which gets no ID token. */
export const opaqueClient: BenchClient = { id: "opaque", secret };

/** A client without users, which may introspect every token. */
export const service: BenchClient = { id: "service", secret };

/** Where the clients get their codes. No request is sent there. */
export const redirectUri = "https://app.test/callback";

/** The user of every flow. */
export const user: { name: string; password: string } = {
  name: "alice",
  password: "alice-password",
};
