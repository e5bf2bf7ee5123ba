import { pathBelow } from "../../config/endpoint_paths.ts";
import { readJson } from "../../http/incoming_request.ts";
import { emptyResponse, jsonResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { type Context, endpointUrl, type RequestContext } from "../../issuer/context.ts";
import { aboutLimits, limit, limitExceeded } from "../../issuer/limits/limit_rules.ts";
import { ruleSet } from "../../protocol/rule.ts";
import {
  deleteRegistration,
  registerClient,
  type RegistrationResult,
  replaceRegistration,
} from "./registration.ts";
import { checkInitialAccess, findByRegistrationToken } from "./registration_access.ts";
import { registrationParts } from "./registration_offers.ts";

const registrationLimits = ruleSet("limit", aboutLimits, {
  registrations: {
    ...limit,
    must: "A network must not register too many clients in a minute",
    message: "Too many registrations; try again in a minute.",
  },
});

/** Registers a client (RFC 7591, section 3). */
export async function register(ctx: RequestContext): Promise<ResponseData> {
  const initialAccess = await checkInitialAccess(ctx);
  chargeRegistration(ctx);
  const metadata = await readJson(ctx);
  const result = await registerClient(ctx, { metadata, initialAccess });
  return jsonResponse(describeRegistration(ctx, result), 201);
}

/** Shows a client its registration (RFC 7592, section 2.1). */
export async function showRegistration(ctx: RequestContext, id: string): Promise<ResponseData> {
  return jsonResponse(describeRegistration(ctx, await findByRegistrationToken(ctx, id)));
}

/** Replaces the registration of a client, under the same id (RFC 7592, section 2.2). */
export async function changeRegistration(ctx: RequestContext, id: string): Promise<ResponseData> {
  const access = await findByRegistrationToken(ctx, id);
  chargeRegistration(ctx);
  const result = await replaceRegistration(ctx, access, await readJson(ctx));
  return jsonResponse(describeRegistration(ctx, result));
}

/** Deletes the registration of a client (RFC 7592, section 2.3). */
export async function endRegistration(ctx: RequestContext, id: string): Promise<ResponseData> {
  await deleteRegistration(ctx, await findByRegistrationToken(ctx, id));
  return emptyResponse(204);
}

/**
 * Anyone may register, and each registration may fetch a document: no sender may keep us busy with
 * it.
 */
function chargeRegistration(ctx: RequestContext): void {
  const sender = ctx.sender ?? "unknown";
  if (!registrationParts(ctx).budget.take(sender)) {
    throw limitExceeded(registrationLimits.registrations);
  }
}

/**
 * Returns everything that a client has to know about its registration (RFC 7591, section 3.2.1; RFC
 * 7592, section 3).
 */
function describeRegistration(ctx: Context, { client, token, secret }: RegistrationResult): object {
  const { id, registration: { issuedAt, metadata } } = client;
  return {
    client_id: id,
    client_id_issued_at: issuedAt,
    client_secret: secret,
    client_secret_expires_at: client.secrets.length === 0 ? undefined : 0,
    registration_access_token: token,
    registration_client_uri: pathBelow(endpointUrl(ctx, "registration_endpoint"), id),
    ...metadata,
    // What the profile adds is registered as well.
    ...client.dpop === "required" && { dpop_bound_access_tokens: true },
    ...client.requirePar && { require_pushed_authorization_requests: true },
  };
}
