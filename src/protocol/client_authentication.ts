import type { ClientAuthenticationMethod } from "../model/client_config.ts";
import { decodeUtf8 } from "../util/utf8.ts";
import { clientAssertionType, peekClientAssertion } from "./client_assertion.ts";
import { decodeForm, type FormParameters } from "./form_parameters.ts";
import { type Challenge, errorFactory, OAuthError } from "./oauth_error.ts";

const section = "OAuth 2.1, section 2.4";
const invalidRequest = errorFactory("invalid_request", section);

/** The challenge of every `invalid_client` (OAuth 2.1, section 3.2.4). */
export const basicChallenge: Challenge = {
  scheme: "Basic",
  members: { charset: "UTF-8" },
  namesError: false,
};

/** The unverified credentials of a client, as a request contains them. */
export interface ClientCredentials {
  method: ClientAuthenticationMethod;
  clientId: string;
  /** The secret or the assertion. Empty for a public client. */
  proof: string;
  /** The secret before its form decoding, which some libraries don't encode. */
  undecoded?: string | undefined;
}

/** Reads the credentials of a client. Exactly one method may be used (OAuth 2.1, section 2.4). */
export function readClientCredentials(
  authorization: string | null,
  parameters: FormParameters,
): ClientCredentials {
  const clientId = parameters.get("client_id");
  const credentials = readMethod(authorization, parameters);
  if (clientId !== undefined && clientId !== credentials.clientId) {
    throw invalidRequest("The client_id in the body is not the client that authenticates.");
  }
  return credentials;
}

function readMethod(authorization: string | null, parameters: FormParameters): ClientCredentials {
  const secret = parameters.get("client_secret");
  const assertion = parameters.get("client_assertion");
  const assertionType = parameters.get("client_assertion_type");
  const hasAssertion = assertion !== undefined || assertionType !== undefined;
  const methods = [authorization !== null, secret !== undefined, hasAssertion];
  if (methods.filter(Boolean).length > 1) {
    throw invalidRequest("The request authenticates the client with more than one method.");
  }
  if (authorization !== null) return readBasic(authorization);
  if (hasAssertion) return readAssertion(assertion, assertionType);
  const clientId = parameters.get("client_id");
  if (secret !== undefined) return readPost(clientId, secret);
  return readNone(clientId);
}

/** Reads HTTP Basic. The id and the secret are form-encoded (OAuth 2.1, section 2.4.1). */
function readBasic(authorization: string): ClientCredentials {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  if (encoded === undefined) throw invalidClient("The Authorization header is not HTTP Basic.");
  const text = decodeBase64(encoded);
  if (!text?.includes(":")) {
    throw invalidClient("The Basic credentials must be the base64 of 'id:secret' in UTF-8.");
  }
  const colon = text.indexOf(":");
  const clientId = decodeForm(text.slice(0, colon));
  const undecoded = text.slice(colon + 1);
  const proof = decodeForm(undecoded);
  if (clientId === undefined || proof === undefined) {
    throw invalidClient(
      "The Basic credentials must be form-encoded. For example, write a percent sign as %25.",
    );
  }
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
function readAssertion(assertion = "", assertionType: string | undefined): ClientCredentials {
  if (assertionType !== clientAssertionType) {
    throw invalidClient(`The client_assertion_type must be '${clientAssertionType}'.`);
  }
  const unverified = peekClientAssertion(assertion);
  if (!unverified) {
    throw invalidClient("The client_assertion must be a JWT whose 'sub' is the client_id.");
  }
  return { ...unverified, proof: assertion };
}

function readPost(clientId: string | undefined, proof: string): ClientCredentials {
  if (clientId === undefined) {
    throw invalidClient("The request has a client_secret but no client_id.");
  }
  return { method: "client_secret_post", clientId, proof };
}

function readNone(clientId: string | undefined): ClientCredentials {
  if (clientId === undefined) {
    throw invalidClient("The request names no client. Send a client_id, or authenticate.");
  }
  return { method: "none", clientId, proof: "" };
}

/** Makes an `invalid_client` error, with a Basic challenge (OAuth 2.1, section 3.2.4). */
export function invalidClient(message: string, hint?: string): OAuthError {
  return new OAuthError("invalid_client", message, {
    see: "OAuth 2.1, section 3.2.4",
    challenges: [basicChallenge],
    hint,
  });
}
