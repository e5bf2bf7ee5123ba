import type { ClientAuthenticationMethod } from "../model/client_config.ts";
import { decodeUtf8 } from "../util/utf8.ts";
import { clientAssertionType, peekClientAssertion } from "./client_assertion.ts";
import { decodeForm, type FormParameters } from "./form_parameters.ts";
import type { Challenge } from "./oauth_error.ts";
import { type ApplyRule, requirePresent, type Rule } from "./rule.ts";

const see = "OAuth 2.1, section 2.4";

/** The challenge of every `invalid_client` (OAuth 2.1, section 3.2.4). */
export const basicChallenge: Challenge = {
  scheme: "Basic",
  members: { charset: "UTF-8" },
  namesError: false,
};

/** The error of every rule about the client's identity (OAuth 2.1, section 3.2.4). */
const invalidClient = {
  see: "OAuth 2.1, section 3.2.4",
  error: "invalid_client",
  details: { challenges: [basicChallenge] },
} as const;

/** The unverified credentials of a client, as a request contains them. */
export interface ClientCredentials {
  method: ClientAuthenticationMethod;
  clientId: string;
  /** The secret or the assertion. Empty for a public client. */
  proof: string;
  /** The secret of HTTP Basic before its form decoding, for a hint. */
  undecoded?: string;
}

const oneMethodIsUsed: Rule<{ methods: readonly string[] }> = {
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

const clientIdIsTheSame: Rule<{ clientId: string | undefined; authenticated: string }> = {
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

const schemeIsBasic: Rule<string | undefined> = {
  ...invalidClient,
  id: "client.basic_scheme",
  title: "The Authorization header is HTTP Basic",
  parameter: "Authorization",
  message: "The Authorization header is not HTTP Basic.",
  advice: "Send 'Basic', a space, and the credentials in base64.",
  holds: (encoded) => encoded !== undefined,
};

const basicIsBase64: Rule<string | undefined> = {
  ...invalidClient,
  id: "client.basic_base64",
  title: "The Basic credentials are the base64 of 'id:secret'",
  parameter: "Authorization",
  message: "The Basic credentials must be the base64 of 'id:secret' in UTF-8.",
  advice: "Encode 'id:secret' as base64, with padding.",
  holds: (text) => text?.includes(":") ?? false,
};

const basicIsFormEncoded: Rule<string | undefined> = {
  ...invalidClient,
  id: "client.basic_encoding",
  title: "The Basic credentials are form-encoded",
  parameter: "Authorization",
  message: "The Basic credentials must be form-encoded. For example, write a percent sign as %25.",
  advice: "Form-encode the id and the secret before joining them with a colon.",
  holds: (decoded) => decoded !== undefined,
};

const assertionTypeIsKnown: Rule<string | undefined> = {
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

const assertionNamesClient: Rule<unknown> = {
  ...invalidClient,
  id: "client.assertion_subject",
  title: "The client_assertion is a JWT whose 'sub' is the client_id",
  parameter: "client_assertion",
  message: "The client_assertion must be a JWT whose 'sub' is the client_id.",
  advice: "Set the claims 'iss' and 'sub' to the client_id.",
  holds: (unverified) => unverified !== undefined,
};

const secretNamesClient: Rule<string | undefined> = {
  ...invalidClient,
  id: "client.secret_has_id",
  title: "A client_secret comes with a client_id",
  parameter: "client_id",
  message: "The request has a client_secret but no client_id.",
  advice: "Send the client_id with the client_secret.",
  holds: (clientId) => clientId !== undefined,
};

const clientIsNamed: Rule<string | undefined> = {
  ...invalidClient,
  id: "client.named",
  title: "The request names its client",
  parameter: "client_id",
  message: "The request names no client. Send a client_id, or authenticate.",
  advice: "Send the client_id, or the credentials of the client.",
  holds: (clientId) => clientId !== undefined,
};

/** How a client authenticated, and why that failed. */
interface ClientAuthentication {
  /** The methods that the client may use; none if it is unknown. */
  allowed: readonly string[];
  used: string;
  /** Why the client is not authenticated. */
  problem: string | undefined;
}

/** One error for an unknown client, a wrong method and a wrong credential. */
export const clientIsAuthenticated: Rule<ClientAuthentication> = {
  ...invalidClient,
  id: "client.authenticated",
  title: "The client is authenticated",
  message: "The client is unknown, or it did not authenticate in the way it is registered for.",
  advice: "Send the credentials of the client, by the method it is registered for.",
  parameterIn: ({ used }) => credentialParameters[used],
  holds: ({ problem }) => problem === undefined,
  expected: ({ allowed }) => allowed.join(" or ") || "a known client",
  came: ({ used, problem }) => problem === undefined ? used : `${used}, ${problem}`,
};

/** The parameter or header with the credentials of each method. */
const credentialParameters: Readonly<Record<string, string>> = {
  none: "client_id",
  client_secret_basic: "Authorization",
  client_secret_post: "client_secret",
  client_secret_jwt: "client_assertion",
  private_key_jwt: "client_assertion",
};

/** Reads the credentials of a client. Exactly one method may be used (OAuth 2.1, section 2.4). */
export function readClientCredentials(
  apply: ApplyRule,
  authorization: string | null,
  parameters: FormParameters,
): ClientCredentials {
  const credentials = readMethod(apply, authorization, parameters);
  const clientId = parameters.get("client_id");
  apply(clientIdIsTheSame, { clientId, authenticated: credentials.clientId });
  return credentials;
}

function readMethod(
  apply: ApplyRule,
  authorization: string | null,
  parameters: FormParameters,
): ClientCredentials {
  const secret = parameters.get("client_secret");
  const assertion = parameters.get("client_assertion");
  const assertionType = parameters.get("client_assertion_type");
  const hasAssertion = assertion !== undefined || assertionType !== undefined;
  const methods = [
    ...authorization === null ? [] : ["an Authorization header"],
    ...secret === undefined ? [] : ["a client_secret"],
    ...hasAssertion ? ["a client_assertion"] : [],
  ];
  apply(oneMethodIsUsed, { methods });
  if (authorization !== null) return readBasic(apply, authorization);
  if (hasAssertion) return readAssertion(apply, assertion, assertionType);
  const clientId = parameters.get("client_id");
  if (secret !== undefined) return readPost(apply, clientId, secret);
  return { method: "none", clientId: requirePresent(apply, clientIsNamed, clientId), proof: "" };
}

/** Reads HTTP Basic. The id and the secret are form-encoded (OAuth 2.1, section 2.4.1). */
function readBasic(apply: ApplyRule, authorization: string): ClientCredentials {
  const [, found] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  const encoded = requirePresent(apply, schemeIsBasic, found);
  const text = requirePresent(apply, basicIsBase64, decodeBase64(encoded));
  const colon = text.indexOf(":");
  const undecoded = text.slice(colon + 1);
  const clientId = requirePresent(apply, basicIsFormEncoded, decodeForm(text.slice(0, colon)));
  const proof = requirePresent(apply, basicIsFormEncoded, decodeForm(undecoded));
  return { method: "client_secret_basic", clientId, proof, undecoded };
}

/** Decodes base64 with its padding: `atob` would repair it (RFC 4648, sections 3.2 and 3.5). */
function decodeBase64(encoded: string): string | undefined {
  try {
    const binary = atob(encoded);
    if (btoa(binary) !== encoded) return undefined;
    return decodeUtf8(bytesOf(binary));
  } catch {
    return undefined;
  }
}

/** Returns the bytes of a text of which each character is one. */
function bytesOf(binary: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Reads a JWT that the client signed with its key or its secret (RFC 7523, section 2.2). */
function readAssertion(
  apply: ApplyRule,
  assertion = "",
  assertionType: string | undefined,
): ClientCredentials {
  apply(assertionTypeIsKnown, assertionType);
  const unverified = requirePresent(apply, assertionNamesClient, peekClientAssertion(assertion));
  return { ...unverified, proof: assertion };
}

function readPost(
  apply: ApplyRule,
  clientId: string | undefined,
  proof: string,
): ClientCredentials {
  const named = requirePresent(apply, secretNamesClient, clientId);
  return { method: "client_secret_post", clientId: named, proof };
}
