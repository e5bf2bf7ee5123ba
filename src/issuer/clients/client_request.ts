import { readForm } from "../../http/body.ts";
import type { Client } from "../../model/client.ts";
import { checkRepeatedParameters, type FormParameters } from "../../protocol/form_parameters.ts";
import { errorFactory } from "../../protocol/oauth_error.ts";
import type { Context } from "../context.ts";
import { authenticateClient } from "./clients.ts";
import { noteSender } from "./script_origin.ts";

const invalidRequest = errorFactory("invalid_request", "OAuth 2.1, section 2.4.1");

/** What a client sends to the endpoints at which it speaks for itself. */
export interface ClientRequest {
  request: Request;
  client: Client;
  parameters: FormParameters;
}

/** What must never stand in a URI, where logs and histories keep it (OAuth 2.1, section 2.4.1). */
const secrets = [
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

function checkNoSecretsInUri(request: Request): void {
  if (!request.url.includes("?")) return;
  const { searchParams } = new URL(request.url);
  const name = secrets.find((secret) => searchParams.has(secret));
  if (name === undefined) return;
  throw invalidRequest(`The parameter '${name}' belongs into the body, never into the URI.`);
}

/** Reads the form that a client sends, and learns which client it is. */
export async function readClientRequest(ctx: Context, request: Request): Promise<ClientRequest> {
  checkNoSecretsInUri(request);
  const parameters = await readForm(request);
  checkRepeatedParameters(parameters);
  const client = await authenticateClient(ctx, request, parameters);
  noteSender(request, client);
  return { request, client, parameters };
}
