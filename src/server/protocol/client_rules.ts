import { type Client, isPublic } from "../model/client.ts";
import type { ClientAuthenticationMethod } from "../model/client_config.ts";
import { clientAssertionType } from "./client_assertion.ts";
import {
  adviceAboutCredentials,
  type ClientAuthentication,
  describeAuthentication,
  describeClientId,
  describeExpected,
  describeKnownClients,
  describeMethod,
  type NamedClient,
} from "./describe_client.ts";
import type { Challenge } from "./oauth_error.ts";
import { compared, ruleSet } from "./rule.ts";

/** The challenge of every `invalid_client` (OAuth 2.1, section 3.2.4). */
export const basicChallenge: Challenge = {
  scheme: "Basic",
  members: { charset: "UTF-8" },
  namesError: false,
  isExplained: true,
};

/** The error of every rule about the client's identity (OAuth 2.1, section 3.2.4). */
const about = {
  see: "OAuth 2.1, section 3.2.4",
  error: "invalid_client",
  details: { challenges: [basicChallenge] },
} as const;

/** A malformed request, whichever client sends it. */
const malformed = { see: "OAuth 2.1, section 2.4", error: "invalid_request", details: {} } as const;

/** The parameter or header with the credentials of each method. */
const credentialParameters: Readonly<Record<ClientAuthenticationMethod, string>> = {
  none: "client_id",
  client_secret_basic: "Authorization",
  client_secret_post: "client_secret",
  client_secret_jwt: "client_assertion",
  private_key_jwt: "client_assertion",
  tls_client_auth: "client_id",
  self_signed_tls_client_auth: "client_id",
};

/** One error for an unknown client, a wrong method and a wrong credential. */
const unauthenticated = {
  message: "The client is unknown, or it did not authenticate in the way it is registered for.",
  parameterIn: ({ used }: ClientAuthentication) => credentialParameters[used],
} as const;

const howToFindClient = "Send the client_id of a configured client, or register one.";

export const clientRules = ruleSet("client", about, {
  known: {
    see: "OAuth 2.1, section 4.1.2.1",
    parameter: "client_id",
    error: "invalid_request",
    details: {},
    must: "The client_id must be that of a known client",
    fix: howToFindClient,
    holds: ({ client }: NamedClient) => client !== undefined,
    expected: describeKnownClients,
    came: describeClientId,
  },
  one_method: {
    ...malformed,
    must: "The request must authenticate the client with at most one method",
    fix: "Send the credentials once: in the Authorization header, or in the body.",
    holds: ({ methods }: { methods: readonly string[] }) => methods.length <= 1,
    came: ({ methods }) => methods.join(" and ") || "none",
  },
  same_id: {
    ...compared,
    ...malformed,
    parameter: "client_id",
    must: "The client_id in the body must be that of the client that authenticates",
    fix: "Send the client_id that belongs to the credentials, or omit it.",
  },
  basic_scheme: {
    parameter: "Authorization",
    must: "The Authorization header must be HTTP Basic: 'Basic', a space, and base64",
  },
  basic_base64: {
    parameter: "Authorization",
    must: "The Basic credentials must be the base64 of 'id:secret' in UTF-8, with padding",
    holds: (text: string | undefined) => text?.includes(":") ?? false,
  },
  basic_encoding: {
    parameter: "Authorization",
    must: "The id and the secret in the Basic credentials must be form-encoded",
    fix: "Form-encode the id and the secret before joining them with a colon: '%' becomes '%25'.",
  },
  assertion_type: {
    ...compared,
    parameter: "client_assertion_type",
    must: `The client_assertion_type must be '${clientAssertionType}'`,
  },
  assertion_subject: {
    parameter: "client_assertion",
    must: "The client_assertion must be a JWT whose 'sub' is the client_id",
    fix: "Set the claims 'iss' and 'sub' to the client_id.",
  },
  secret_has_id: {
    parameter: "client_id",
    must: "A client_secret must come with a client_id",
  },
  named: {
    parameter: "client_id",
    must: "The request must name its client",
    fix:
      "Authenticate the client. Only a public client sends its client_id alone, where it is allowed.",
  },
  // A secret of a public client is no secret: everyone who has the client has it, too.
  no_secret: {
    ...unauthenticated,
    must: "A public client must not send a secret",
    fix: "Leave the secret out, or register the client as confidential.",
    holds: ({ client, used }: ClientAuthentication) =>
      !client || !isPublic(client) || !used.startsWith("client_secret_"),
    expected: ({ client }) => client && isPublic(client) ? describeMethod("none") : undefined,
    came: ({ client, used }) => client && isPublic(client) ? describeMethod(used) : undefined,
  },
  authenticated: {
    ...unauthenticated,
    must: "The client must authenticate in the way it is registered for",
    fix: "Send the credentials of the client, by the method it is registered for.",
    adviceFor: (facts) =>
      facts.client ? adviceAboutCredentials(facts.client, facts) : howToFindClient,
    holds: ({ problem }: ClientAuthentication) => problem === undefined,
    expected: describeExpected,
    came: describeAuthentication,
  },
});

/** Returns the text of a rule that only a client with credentials obeys. */
export function requiresCredentials(use: string) {
  return {
    parameter: "client_id",
    error: "unauthorized_client",
    must: `A client must have credentials to use ${use}`,
    fix: "Use a client with a secret or a key.",
    holds: (client: Client) => !isPublic(client),
  } as const;
}
