import type { ClientAuthenticationMethod } from "../model/client.ts";
import { basicChallenge } from "./challenge.ts";
import { clientAssertionType, peekClientAssertion } from "./client_assertion.ts";
import { decodeForm, type FormParameters } from "./form_parameters.ts";
import { errorFactory, OAuthError } from "./oauth_error.ts";

const section = "OAuth 2.1, section 2.4";
const invalidRequest = errorFactory("invalid_request", section);

/** How a request says who sends it. */
export interface ClientCredentials {
  method: ClientAuthenticationMethod;
  clientId: string;
  /** What is to prove it: the secret, or the assertion. A public client has nothing. */
  proof: string;
}

/** Reads who claims to be calling. Exactly one mechanism may be used (OAuth 2.1, section 2.4). */
export function readClientCredentials(
  authorization: string | null,
  parameters: FormParameters,
): ClientCredentials {
  const [clientId, secret] = [parameters.get("client_id"), parameters.get("client_secret")];
  const hasAssertion = assertionParameters.some((name) => parameters.get(name) !== undefined);
  if ([authorization !== null, secret !== undefined, hasAssertion].filter(Boolean).length > 1) {
    throw invalidRequest("A client authenticates in one way at a time.");
  }
  const credentials = authorization !== null
    ? readBasic(authorization)
    : secret !== undefined
    ? readPost(clientId, secret)
    : hasAssertion
    ? readAssertion(parameters)
    : readNone(clientId);
  if (clientId !== undefined && clientId !== credentials.clientId) {
    throw invalidRequest("The client_id in the body is not the client that authenticates.");
  }
  return credentials;
}

const assertionParameters = ["client_assertion", "client_assertion_type"];

/** A JWT that the client signed with its key, or with its secret (RFC 7523, section 2.2). */
function readAssertion(parameters: FormParameters): ClientCredentials {
  if (parameters.get("client_assertion_type") !== clientAssertionType) {
    throw invalidClient(`The client_assertion_type is not '${clientAssertionType}'.`);
  }
  const proof = parameters.get("client_assertion");
  const claimed = proof === undefined ? undefined : peekClientAssertion(proof);
  if (proof === undefined || !claimed) {
    throw invalidClient("The client_assertion is not a JWT whose 'sub' is the client_id.");
  }
  return { ...claimed, proof };
}

function readPost(clientId: string | undefined, proof: string): ClientCredentials {
  if (clientId === undefined) throw invalidClient("A client_secret came without a client_id.");
  return { method: "client_secret_post", clientId, proof };
}

function readNone(clientId: string | undefined): ClientCredentials {
  if (clientId === undefined) {
    throw invalidClient("The request names no client: send a client_id, or authenticate.");
  }
  return { method: "none", clientId, proof: "" };
}

/** The user and the password of Basic are form-encoded before they are joined (OAuth 2.1, section 2.4.1). */
function readBasic(authorization: string): ClientCredentials {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  if (encoded === undefined) throw invalidClient("The Authorization header is not HTTP Basic.");
  const text = decodeBase64(encoded);
  const colon = text?.indexOf(":") ?? -1;
  if (text === undefined || colon < 0) {
    throw invalidClient("The Basic credentials are not base64 of 'id:secret' in UTF-8.");
  }
  const [clientId, proof] = [decodeForm(text.slice(0, colon)), decodeForm(text.slice(colon + 1))];
  if (clientId === undefined || proof === undefined) {
    throw invalidClient(
      "The Basic credentials are not form-encoded; a percent sign is written as %25.",
    );
  }
  return { method: "client_secret_basic", clientId, proof };
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function decodeBase64(encoded: string): string | undefined {
  try {
    return decoder.decode(Uint8Array.from(atob(encoded), (byte) => byte.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** A client that did not authenticate: 401, and Basic is named (OAuth 2.1, section 3.2.4). */
export function invalidClient(message: string, hint?: string): OAuthError {
  return new OAuthError("invalid_client", message, {
    see: "OAuth 2.1, section 3.2.4",
    challenges: [basicChallenge],
    hint,
  });
}
