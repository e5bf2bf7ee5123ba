import type { Context } from "../issuer/context.ts";
import type { DeviceCode } from "../issuer/records/rows.ts";
import { fromNow } from "../issuer/time.ts";
import type { Client } from "../model/client.ts";
import { narrowAccessRights } from "../protocol/access_request.ts";
import { requireParameter } from "../protocol/form_parameters.ts";
import { deviceCodeGrant } from "../protocol/grant_types.ts";
import { errorFactory, type OAuthError } from "../protocol/oauth_error.ts";
import { checkCodeVerifier } from "../protocol/pkce.ts";
import { recordPoll } from "../protocol/polling.ts";
import type { Grant } from "./grant.ts";
import {
  consumeCredential,
  invalidCredential,
  requireActiveAuthorization,
} from "./one_time_credential.ts";

const section = "RFC 8628, section 3.5";
const authorizationPending = errorFactory("authorization_pending", section);
const slowDown = errorFactory("slow_down", section);
const expiredToken = errorFactory("expired_token", section);
const accessDenied = errorFactory("access_denied", section);

const name = "device code";

/** Redeems a device code, once the user has decided (RFC 8628, section 3.4). */
export const deviceCode: Grant = {
  type: deviceCodeGrant,
  async redeem(ctx, { client, parameters }) {
    const secret = requireParameter(parameters, "device_code", "RFC 8628, section 3.4");
    const { value, used } = await requireDeviceCode(ctx, client, secret);
    await checkCodeVerifier(value.codeChallenge, parameters.get("code_verifier"));
    if (!used && value.device.expiresAt <= ctx.now()) {
      throw expiredToken("The device code has expired.");
    }
    const authorizationId = await requireDecision(ctx, value);
    const authorization = await requireActiveAuthorization(ctx, client, authorizationId, name);
    const credential = { table: ctx.records.deviceCodes, secret, value, used, authorization, name };
    return {
      entitlement: {
        ...narrowAccessRights(parameters, authorization, ctx.settings),
        authorization,
      },
      consume: () => consumeCredential(ctx, credential),
    };
  },
};

/** Finds the device code, which must belong to this client. */
async function requireDeviceCode(
  ctx: Context,
  client: Client,
  secret: string,
): Promise<{ value: DeviceCode; used: boolean }> {
  const row = await ctx.records.deviceCodes.get(secret);
  if (!row) throw invalidCredential(name, "It is unknown, or it expired long ago.");
  const { value, usedAt } = row;
  if (value.clientId !== client.id) {
    throw invalidCredential(name, `It belongs to the client '${value.clientId}'.`);
  }
  return { value, used: usedAt !== undefined };
}

/** Returns the id of the authorization. Until the user allows it, the device must wait or stop. */
async function requireDecision(ctx: Context, { device }: DeviceCode): Promise<string> {
  const decision = await ctx.records.deviceDecisions.find(device.id);
  if (!decision) throw await pendingError(ctx, device.id);
  if (decision.denied) throw accessDenied("The user denied the request.", { status: 400 });
  return decision.authorization;
}

/**
 * Records the poll. Of two simultaneous polls one may be lost, which affects the polling rate only.
 */
async function pendingError(ctx: Context, device: string): Promise<OAuthError> {
  const { tooEarly, polling } = recordPoll(await ctx.records.pollings.find(device), ctx.now());
  await ctx.records.pollings.put(device, polling, fromNow(ctx, ctx.settings.lifetimes.deviceCode));
  if (!tooEarly) return authorizationPending("The user has not decided yet.");
  return slowDown(
    `The device polls too often. From now on it must wait ${polling.interval} seconds each time.`,
  );
}
