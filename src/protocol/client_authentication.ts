import { basicChallenge } from "./challenge.ts";
import { OAuthError } from "./oauth_error.ts";
import type { Parameters } from "./parameters.ts";
import { decodeForm } from "./parameters.ts";

/** How a request says who sends it. */
export type ClientCredentials =
  | { method: "none"; clientId: string }
  | { method: "client_secret_basic" | "client_secret_post"; clientId: string; secret: string };

const section = "OAuth 2.1, section 2.4";

/** Reads who claims to be calling. Exactly one mechanism may be used (OAuth 2.1, section 2.4). */
export function readClientCredentials(authorization: string | null, parameters: Parameters): ClientCredentials {
  const [clientId, secret] = [parameters.get("client_id"), parameters.get("client_secret")];
  if (authorization !== null && secret !== undefined) {
    throw new OAuthError("invalid_request", "A client authenticates in one way at a time.", { see: section });
  }
  const credentials = authorization !== null
    ? readBasic(authorization)
    : secret !== undefined
    ? readPost(clientId, secret)
    : readNone(clientId);
  if (clientId !== undefined && clientId !== credentials.clientId) {
    throw new OAuthError("invalid_request", "The client_id in the body is not the client that authenticates.", { see: section });
  }
  return credentials;
}

function readPost(clientId: string | undefined, secret: string): ClientCredentials {
  if (clientId === undefined) throw refuseClient("A client_secret came without a client_id.");
  return { method: "client_secret_post", clientId, secret };
}

function readNone(clientId: string | undefined): ClientCredentials {
  if (clientId === undefined) throw refuseClient("The request names no client: send a client_id, or authenticate.");
  return { method: "none", clientId };
}

/** The user and the password of Basic are form-encoded before they are joined (OAuth 2.1, section 2.4.1). */
function readBasic(authorization: string): ClientCredentials {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  if (encoded === undefined) throw refuseClient("The Authorization header is not HTTP Basic.");
  const text = decodeBase64(encoded);
  const colon = text?.indexOf(":") ?? -1;
  if (text === undefined || colon < 0) throw refuseClient("The Basic credentials are not base64 of 'id:secret' in UTF-8.");
  const [clientId, secret] = [decodeForm(text.slice(0, colon)), decodeForm(text.slice(colon + 1))];
  if (clientId === undefined || secret === undefined) {
    throw refuseClient("The Basic credentials are not form-encoded; a percent sign is written as %25.");
  }
  return { method: "client_secret_basic", clientId, secret };
}

function decodeBase64(encoded: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(atob(encoded), (byte) => byte.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** A client that did not authenticate: 401, and Basic is named (OAuth 2.1, section 3.2.4). */
export function refuseClient(message: string): OAuthError {
  return new OAuthError("invalid_client", message, { see: "OAuth 2.1, section 3.2.4", challenges: [basicChallenge] });
}
