import { type Client, isPublic } from "../model/client.ts";
import { type ClientAuthenticationMethod, isCertificateMethod } from "../model/client_config.ts";
import { nearestName } from "../util/text/nearest_name.ts";
import { counted } from "../util/time/duration.ts";
import { clientAssertionType } from "./client_assertion.ts";
import type { Challenge } from "./oauth_error.ts";
import { compared, ruleSet } from "./rule.ts";

/** How much of an unknown client_id is shown, in characters. */
const maxShownId = 100;
const maxShownClients = 10;
/** How many names are compared with an unknown one: each comparison takes some microseconds. */
const maxComparedClients = 50;

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
    title: "The client_id must be that of a known client",
    fix: howToFindClient,
    holds: ({ client }: NamedClient) => client !== undefined,
    expected: describeKnownClients,
    received: describeClientId,
  },
  one_method: {
    ...malformed,
    title: "The request must authenticate the client with at most one method",
    fix: "Send the credentials once: in the Authorization header, or in the body.",
    holds: ({ methods }: { methods: readonly string[] }) => methods.length <= 1,
    received: ({ methods }) => methods.join(" and ") || "none",
  },
  same_id: {
    ...compared,
    ...malformed,
    parameter: "client_id",
    title: "The client_id in the body must be that of the client that authenticates",
    fix: "Send the client_id that belongs to the credentials, or omit it.",
  },
  basic_scheme: {
    parameter: "Authorization",
    title: "The Authorization header must be HTTP Basic: 'Basic', a space, and base64",
  },
  basic_base64: {
    parameter: "Authorization",
    title: "The Basic credentials must be the base64 of 'id:secret' in UTF-8, with padding",
    holds: (text: string | undefined) => text?.includes(":") ?? false,
  },
  basic_encoding: {
    parameter: "Authorization",
    title: "The id and the secret in the Basic credentials must be form-encoded",
    fix: "Form-encode the id and the secret before joining them with a colon: '%' becomes '%25'.",
  },
  assertion_type: {
    ...compared,
    parameter: "client_assertion_type",
    title: `The client_assertion_type must be '${clientAssertionType}'`,
  },
  assertion_subject: {
    parameter: "client_assertion",
    title: "The client_assertion must be a JWT whose 'sub' is the client_id",
    fix: "Set the claims 'iss' and 'sub' to the client_id.",
  },
  secret_has_id: {
    parameter: "client_id",
    title: "A client_secret must come with a client_id",
  },
  named: {
    parameter: "client_id",
    title: "The request must name its client",
    fix:
      "Authenticate the client. Only a public client sends its client_id alone, where it is allowed.",
  },
  // A secret of a public client is no secret: everyone who has the client has it, too.
  no_secret: {
    ...unauthenticated,
    title: "A public client must not send a secret",
    fix: "Leave the secret out, or register the client as confidential.",
    holds: ({ client, used }: ClientAuthentication) =>
      !client || !isPublic(client) || !used.startsWith("client_secret_"),
    expected: ({ client }) => client && isPublic(client) ? describeMethod("none") : undefined,
    received: ({ client, used }) => client && isPublic(client) ? describeMethod(used) : undefined,
  },
  authenticated: {
    ...unauthenticated,
    title: "The client must authenticate in the way it is registered for",
    fix: "Send the credentials of the client, by the method it is registered for.",
    fixFor: (facts) => facts.client ? adviceAboutCredentials(facts.client, facts) : howToFindClient,
    holds: ({ problem }: ClientAuthentication) => problem === undefined,
    expected: describeExpected,
    received: describeAuthentication,
  },
});

/** Returns the text of a rule that only a client with credentials obeys. */
export function requiresCredentials(use: string) {
  return {
    parameter: "client_id",
    error: "unauthorized_client",
    title: `A client must have credentials to use ${use}`,
    fix: "Use a client with a secret or a key.",
    holds: (client: Client) => !isPublic(client),
  } as const;
}

/** Why a client with a different secret is not authenticated. */
export const wrongSecret = "wrong secret";

/** The client that a request names, with what helps its developer. */
export interface NamedClient {
  clientId: string;
  client: Client | undefined;
  /** Why the metadata document at this client_id cannot be used. */
  documentProblem: string | undefined;
  /** The clients of the configuration, which may be meant. */
  configured: ReadonlyArray<{ id: string }>;
}

/** How a client authenticated, and why that failed. */
export interface ClientAuthentication extends NamedClient {
  used: ClientAuthenticationMethod;
  /** The secret or the assertion. */
  proof: string;
  /** Why the client is not authenticated. */
  problem: string | undefined;
}

/**
 * Describes the clients that an unknown client_id may stand for, as far as a sentence holds them.
 */
export function describeKnownClients({ clientId, client, configured }: NamedClient): string {
  if (client) return `a known client, such as '${client.id}'`;
  const ids = configured.map(({ id }) => id);
  if (ids.length === 0) return "a registered client, because none is configured";
  const nearest = nearestName(clientId.slice(0, maxShownId), ids.slice(0, maxComparedClients));
  if (nearest !== undefined) return `a known client, such as '${nearest}'`;
  const rest = ids.length > maxShownClients ? ", …" : "";
  return `one of ${ids.slice(0, maxShownClients).join(", ")}${rest}`;
}

/** Describes a client_id, which may be the URL of a document. */
export function describeClientId({ clientId, documentProblem }: NamedClient): string {
  const shown = `'${clientId.slice(0, maxShownId)}'`;
  if (documentProblem === undefined) return shown;
  return `${shown}, whose metadata document cannot be used: ${documentProblem}`;
}

export function describeExpected(facts: ClientAuthentication): string {
  const { client, used, problem } = facts;
  if (!client) return describeKnownClients(facts);
  if (problem === undefined || !client.authentication.includes(used)) {
    return client.authentication.map(describeMethod).join(" or ");
  }
  if (isCertificateMethod(used)) return `the certificate of the client '${client.id}'`;
  const proof = isSecretSent(used) ? "the secret" : "a valid assertion";
  return `${proof} of the client '${client.id}'`;
}

export function describeAuthentication(facts: ClientAuthentication): string {
  const { client, used, proof, problem } = facts;
  if (!client) return `the client_id ${describeClientId(facts)}`;
  const method = describeMethod(used);
  if (problem === undefined || !client.authentication.includes(used)) return method;
  const length = problem === wrongSecret ? ` of ${counted(proof.length, "character")}` : "";
  return `${method}, ${problem}${length}`;
}

/** Returns how a known client can authenticate instead. */
export function adviceAboutCredentials(
  client: Client,
  { used, problem }: ClientAuthentication,
): string {
  if (!client.authentication.includes(used)) {
    if (isPublic(client)) return "Send the client_id alone: this client is public.";
    const credential = used === "none" ? "Authenticate the client" : "Use another method";
    return `${credential}: it is registered for ${client.authentication.join(" or ")}.`;
  }
  if (isCertificateMethod(used)) {
    return "Send the request over TLS, with the certificate that the client is registered for.";
  }
  if (!isSecretSent(used)) return "Sign a new client_assertion that meets what is expected.";
  return problem === wrongSecret
    ? "Send the secret of this client, unchanged. It may be that of another client or server."
    : "Form-encode the id and the secret before joining them with a colon.";
}

export function isSecretSent(method: ClientAuthenticationMethod): boolean {
  return method === "client_secret_basic" || method === "client_secret_post";
}

export function describeMethod(method: ClientAuthenticationMethod): string {
  return method === "none" ? "no client authentication" : method;
}
