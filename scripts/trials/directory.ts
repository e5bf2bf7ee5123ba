/** A client, as it authenticates itself. */
export interface TrialClient {
  id: string;
  secret: string;
}

/** Long enough not to be guessed: guesses are counted for short ones only. */
const secret = "a-secret-of-32-characters-at-least";

/** A client whose access tokens are JWTs. */
export const app: TrialClient = { id: "app", secret };

/**
 * A client whose access tokens are opaque, and which may introspect every token. Its refresh
 * tokens work once.
 */
export const opaque: TrialClient = { id: "opaque", secret };

/** The same, whose refresh tokens return their successor for some seconds, as by default. */
export const patient: TrialClient = { id: "patient", secret };

/** A client without users, which may introspect every token. */
export const service: TrialClient = { id: "service", secret };

/** Where the clients get their codes. No request is sent there. */
export const redirectUri = "https://app.test/callback";
