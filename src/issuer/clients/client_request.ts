import { readForm } from "../../http/body.ts";
import type { Client } from "../../model/client.ts";
import { checkRepeatedParameters, type FormParameters } from "../../protocol/form_parameters.ts";
import { errorFactory } from "../../protocol/oauth_error.ts";
import type { Context } from "../context.ts";
import { authenticateClient } from "./authenticate_client.ts";
import { rememberSender } from "./script_origin.ts";

const invalidRequest = errorFactory("invalid_request", "OAuth 2.1, section 2.4.1");

/** A request of an authenticated client, at an endpoint for clients. */
export interface ClientRequest {
  request: Request;
  client: Client;
  parameters: FormParameters;
}

/**
 * Parameters that must never be in a URI, where logs and histories keep them (OAuth 2.1, section
 * 2.4.1).
 */
const secretParameters = [
  "client_secret",
  "client_assertion",
  "code",
  "code_verifier",
  "device_code",
  "refresh_token",
  "token",
  "assertion",
  "subject_token",
  "actor_token",
];

/** Reads the form that a client sends, and authenticates the client. */
export async function readClientRequest(ctx: Context, request: Request): Promise<ClientRequest> {
  checkNoSecretsInUri(request);
  const parameters = await readForm(request);
  checkRepeatedParameters(parameters);
  const client = await authenticateClient(ctx, request, parameters);
  rememberSender(request, client);
  return { request, client, parameters };
}

function checkNoSecretsInUri(request: Request): void {
  if (!request.url.includes("?")) return;
  const { searchParams } = new URL(request.url);
  const name = secretParameters.find((parameter) => searchParams.has(parameter));
  if (name === undefined) return;
  throw invalidRequest(`The parameter '${name}' belongs in the body, never in the URI.`);
}
