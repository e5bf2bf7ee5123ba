import { readJson } from "../http/body.ts";
import { empty, json } from "../http/response.ts";
import {
  deleteRegistration,
  type RegistrationResult,
  replaceRegistration,
} from "../issuer/clients/registration.ts";
import { findByRegistrationToken } from "../issuer/clients/registration_access.ts";
import { type Context, endpointUrl } from "../issuer/context.ts";
import { tooMany } from "../issuer/limits/budget.ts";

/** Tells a client what it is registered as (RFC 7592, section 2.1). */
export async function showRegistration(
  ctx: Context,
  request: Request,
  id: string,
): Promise<Response> {
  return json(describeRegistration(ctx, await findByRegistrationToken(ctx, request, id)));
}

/** Registers a client anew, under the same id (RFC 7592, section 2.2). */
export async function changeRegistration(
  ctx: Context,
  request: Request,
  id: string,
): Promise<Response> {
  const registered = await findByRegistrationToken(ctx, request, id);
  countRegistration(ctx, request);
  return json(
    describeRegistration(
      ctx,
      await replaceRegistration(ctx, request, registered, await readJson(request)),
    ),
  );
}

/** Forgets a client (RFC 7592, section 2.3). */
export async function endRegistration(
  ctx: Context,
  request: Request,
  id: string,
): Promise<Response> {
  await deleteRegistration(ctx, await findByRegistrationToken(ctx, request, id));
  return empty(204);
}

/** Strangers may register, and each time have a document fetched; one of them must not keep us busy with it. */
export function countRegistration(ctx: Context, request: Request): void {
  if (ctx.registrations.take(ctx.addressOf(request) ?? "unknown")) return;
  throw tooMany("Too many registrations; try again in a minute.");
}

/** All that a client has to know of its registration (RFC 7591, section 3.2.1; RFC 7592, section 3). */
export function describeRegistration(ctx: Context, { client, token, secret }: RegistrationResult) {
  const { id, registration: { issuedAt, metadata } } = client;
  return {
    client_id: id,
    client_id_issued_at: issuedAt,
    client_secret: secret,
    client_secret_expires_at: client.secretHash === undefined ? undefined : 0,
    registration_access_token: token,
    registration_client_uri: `${endpointUrl(ctx, "registration_endpoint")}/${id}`,
    ...metadata,
    // What the profile fills in is registered as well.
    ...client.dpop === "required" && { dpop_bound_access_tokens: true },
    ...client.requirePar && { require_pushed_authorization_requests: true },
  };
}
