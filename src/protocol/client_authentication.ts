import type { Client, ClientAuthenticationMethod } from "./client.ts";
import { OAuthError } from "./oauth_error.ts";
import type { Parameters } from "./parameters.ts";
import { decodeFormText } from "./parameters.ts";

/** How a request says who sends it. */
export interface ClientCredentials {
  clientId: string;
  method: ClientAuthenticationMethod;
  secret?: string;
}

/** Reads who claims to be calling. Two mechanisms at once are refused (OAuth 2.1, section 2.4). */
export function readClientCredentials(authorization: string | null, parameters: Parameters): ClientCredentials {
  const secret = parameters.get("client_secret");
  const clientId = parameters.get("client_id");
  if (authorization === null) return readFromBody(clientId, secret);
  if (secret !== undefined) {
    throw new OAuthError("invalid_request", "A client authenticates in one way at a time: the header or the body.", {
      see: "OAuth 2.1, section 2.4",
    });
  }
  const credentials = readBasic(authorization);
  if (clientId !== undefined && clientId !== credentials.clientId) {
    throw new OAuthError("invalid_request", "The client_id in the body is not the one in the Authorization header.", {
      see: "OAuth 2.1, section 2.4",
    });
  }
  return credentials;
}

function readFromBody(clientId: string | undefined, secret: string | undefined): ClientCredentials {
  if (clientId === undefined) throw refuseClient("The request names no client.");
  if (secret === undefined) return { clientId, method: "none" };
  return { clientId, method: "client_secret_post", secret };
}

/** The user and the password of Basic are form-encoded before they are joined (OAuth 2.1, section 2.4.1). */
function readBasic(authorization: string): ClientCredentials {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  if (encoded === undefined) throw refuseClient("The Authorization header is not HTTP Basic.");
  const text = decodeBase64(encoded);
  const colon = text.indexOf(":");
  if (colon < 0) throw refuseClient("The Basic credentials have no colon.");
  return {
    method: "client_secret_basic",
    clientId: decodeCredential(text.slice(0, colon)),
    secret: decodeCredential(text.slice(colon + 1)),
  };
}

function decodeBase64(encoded: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(atob(encoded), (byte) => byte.charCodeAt(0)));
  } catch (cause) {
    throw refuseClient("The Basic credentials are not base64 of UTF-8 text.", cause);
  }
}

function decodeCredential(text: string): string {
  try {
    return decodeFormText(text);
  } catch (cause) {
    throw refuseClient("The Basic credentials are not form-encoded; a percent sign stands as %25.", cause);
  }
}

/** A client may authenticate only in the ways it is registered for. */
export function allowsMethod(client: Client, method: ClientAuthenticationMethod): boolean {
  return client.authentication.includes(method);
}

/** One answer for every failure, so that nobody learns which clients exist (RFC 6749, section 5.2). */
export function refuseClient(message: string, cause?: unknown): OAuthError {
  return new OAuthError("invalid_client", message, { see: "OAuth 2.1, section 3.2.4", cause });
}
