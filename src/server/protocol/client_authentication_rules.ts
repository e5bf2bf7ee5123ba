import { isPublic } from "../model/client.ts";
import type { ClientAuthenticationMethod } from "../model/client_config.ts";
import { clientAssertionType } from "./client_assertion.ts";
import {
  clientIsKnown,
  describeClientId,
  describeKnownClients,
  type NamedClient,
} from "./client_rules.ts";
import type { Challenge } from "./oauth_error.ts";
import type { Rule } from "./rule.ts";

const see = "OAuth 2.1, section 2.4";

/** The challenge of every `invalid_client` (OAuth 2.1, section 3.2.4). */
export const basicChallenge: Challenge = {
  scheme: "Basic",
  members: { charset: "UTF-8" },
  namesError: false,
  isExplained: true,
};

/** The error of every rule about the client's identity (OAuth 2.1, section 3.2.4). */
const invalidClient = {
  see: "OAuth 2.1, section 3.2.4",
  error: "invalid_client",
  details: { challenges: [basicChallenge] },
} as const;

export const oneMethodIsUsed: Rule<{ methods: readonly string[] }> = {
  id: "client.one_method",
  title: "The request authenticates the client with one method",
  see,
  error: "invalid_request",
  message: "The request authenticates the client with more than one method.",
  advice: "Send the credentials once: in the Authorization header, or in the body.",
  holds: ({ methods }) => methods.length <= 1,
  expected: () => "at most one",
  came: ({ methods }) => methods.join(" and ") || "none",
};

export const clientIdIsTheSame: Rule<{ clientId: string | undefined; authenticated: string }> = {
  id: "client.same_id",
  title: "The client_id in the body is that of the authenticated client",
  see,
  parameter: "client_id",
  error: "invalid_request",
  message: "The client_id in the body is not the client that authenticates.",
  advice: "Send the client_id that belongs to the credentials, or omit it.",
  holds: ({ clientId, authenticated }) => clientId === undefined || clientId === authenticated,
  expected: ({ authenticated }) => authenticated,
  came: ({ clientId }) => clientId ?? "none",
};

export const schemeIsBasic: Rule<string | undefined> = {
  ...invalidClient,
  id: "client.basic_scheme",
  title: "The Authorization header is HTTP Basic",
  parameter: "Authorization",
  message: "The Authorization header is not HTTP Basic.",
  advice: "Send 'Basic', a space, and the credentials in base64.",
  holds: (encoded) => encoded !== undefined,
};

export const basicIsBase64: Rule<string | undefined> = {
  ...invalidClient,
  id: "client.basic_base64",
  title: "The Basic credentials are the base64 of 'id:secret'",
  parameter: "Authorization",
  message: "The Basic credentials must be the base64 of 'id:secret' in UTF-8.",
  advice: "Encode 'id:secret' as base64, with padding.",
  holds: (text) => text?.includes(":") ?? false,
};

export const basicIsFormEncoded: Rule<string | undefined> = {
  ...invalidClient,
  id: "client.basic_encoding",
  title: "The Basic credentials are form-encoded",
  parameter: "Authorization",
  message: "The Basic credentials must be form-encoded. For example, write a percent sign as %25.",
  advice: "Form-encode the id and the secret before joining them with a colon.",
  holds: (decoded) => decoded !== undefined,
};

export const assertionTypeIsKnown: Rule<string | undefined> = {
  ...invalidClient,
  id: "client.assertion_type",
  title: "The client_assertion_type is the one for JWTs",
  parameter: "client_assertion_type",
  message: `The client_assertion_type must be '${clientAssertionType}'.`,
  advice: "Send this client_assertion_type with the client_assertion.",
  holds: (type) => type === clientAssertionType,
  expected: () => clientAssertionType,
  came: (type) => type ?? "none",
};

export const assertionNamesClient: Rule<unknown> = {
  ...invalidClient,
  id: "client.assertion_subject",
  title: "The client_assertion is a JWT whose 'sub' is the client_id",
  parameter: "client_assertion",
  message: "The client_assertion must be a JWT whose 'sub' is the client_id.",
  advice: "Set the claims 'iss' and 'sub' to the client_id.",
  holds: (unverified) => unverified !== undefined,
};

export const secretNamesClient: Rule<string | undefined> = {
  ...invalidClient,
  id: "client.secret_has_id",
  title: "A client_secret comes with a client_id",
  parameter: "client_id",
  message: "The request has a client_secret but no client_id.",
  advice: "Send the client_id with the client_secret.",
  holds: (clientId) => clientId !== undefined,
};

export const clientIsNamed: Rule<string | undefined> = {
  ...invalidClient,
  id: "client.named",
  title: "The request names its client",
  parameter: "client_id",
  message: "The request names no client.",
  advice:
    "Authenticate the client. Only a public client sends its client_id alone, where it is allowed.",
  holds: (clientId) => clientId !== undefined,
};

/** Why a client with a different secret is not authenticated. */
export const wrongSecret = "wrong secret";

/** How a client authenticated, and why that failed. */
interface ClientAuthentication extends NamedClient {
  used: ClientAuthenticationMethod;
  /** The secret or the assertion. */
  proof: string;
  /** Why the client is not authenticated. */
  problem: string | undefined;
}

/** One error for an unknown client, a wrong method and a wrong credential. */
const authentication = {
  ...invalidClient,
  message: "The client is unknown, or it did not authenticate in the way it is registered for.",
  parameterIn: ({ used }: ClientAuthentication) => credentialParameters[used],
  expected: describeExpected,
  came: describeAuthentication,
} as const;

/** A secret of a public client is no secret: everyone who has the client has it, too. */
export const publicClientSendsNoSecret: Rule<ClientAuthentication> = {
  ...authentication,
  id: "client.no_secret",
  title: "A public client sends no secret",
  advice: "Leave the secret out, or register the client as confidential.",
  holds: ({ client, used }) => !client || !isPublic(client) || !used.startsWith("client_secret_"),
  expected: ({ client }) => client && isPublic(client) ? describeMethod("none") : undefined,
  came: ({ client, used }) => client && isPublic(client) ? describeMethod(used) : undefined,
};

export const clientIsAuthenticated: Rule<ClientAuthentication> = {
  ...authentication,
  id: "client.authenticated",
  title: "The client is authenticated",
  advice: "Send the credentials of the client, by the method it is registered for.",
  adviceFor: adviceAboutCredentials,
  holds: ({ problem }) => problem === undefined,
};

function describeExpected(facts: ClientAuthentication): string {
  const { client, used, problem } = facts;
  if (!client) return describeKnownClients(facts);
  if (problem === undefined || !client.authentication.includes(used)) {
    return client.authentication.map(describeMethod).join(" or ");
  }
  const proof = isSecretSent(used) ? "the secret" : "a valid assertion";
  return `${proof} of the client '${client.id}'`;
}

function describeAuthentication(facts: ClientAuthentication): string {
  const { client, used, proof, problem } = facts;
  if (!client) return `the client_id ${describeClientId(facts)}`;
  const method = describeMethod(used);
  if (problem === undefined || !client.authentication.includes(used)) return method;
  const length = problem === wrongSecret ? ` of ${proof.length} characters` : "";
  return `${method}, ${problem}${length}`;
}

function adviceAboutCredentials(
  { client, used, problem }: ClientAuthentication,
): string | undefined {
  if (!client) return clientIsKnown.advice;
  if (!client.authentication.includes(used)) {
    if (isPublic(client)) return "Send the client_id alone: this client is public.";
    const credential = used === "none" ? "Authenticate the client" : "Use another method";
    return `${credential}: it is registered for ${client.authentication.join(" or ")}.`;
  }
  if (!isSecretSent(used)) return "Sign a new client_assertion that meets what is expected.";
  return problem === wrongSecret
    ? "Send the secret of this client, unchanged. It may be that of another client or server."
    : "Form-encode the id and the secret before joining them with a colon.";
}

function isSecretSent(method: ClientAuthenticationMethod): boolean {
  return method === "client_secret_basic" || method === "client_secret_post";
}

function describeMethod(method: ClientAuthenticationMethod): string {
  return method === "none" ? "no client authentication" : method;
}

/** The parameter or header with the credentials of each method. */
const credentialParameters: Readonly<Record<ClientAuthenticationMethod, string>> = {
  none: "client_id",
  client_secret_basic: "Authorization",
  client_secret_post: "client_secret",
  client_secret_jwt: "client_assertion",
  private_key_jwt: "client_assertion",
};
