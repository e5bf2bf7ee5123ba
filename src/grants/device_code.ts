import type { Context } from "../issuer/context.ts";
import type { DeviceCode } from "../issuer/records/rows.ts";
import { fromNow } from "../issuer/time.ts";
import type { Client } from "../model/client.ts";
import { refersTo } from "../model/client_identity.ts";
import { narrowAccessRights } from "../protocol/access_request.ts";
import { requireParameter } from "../protocol/form_parameters.ts";
import { deviceCodeGrantType } from "../protocol/grant_types.ts";
import { errorFactory, type OAuthError } from "../protocol/oauth_error.ts";
import { checkCodeVerifier } from "../protocol/pkce.ts";
import { type Poll, recordPoll } from "../protocol/polling.ts";
import type { Grant } from "./grant.ts";
import {
  consumeCredential,
  invalidCredential,
  type OneTimeCredential,
  requireActiveAuthorization,
} from "./one_time_credential.ts";

const section = "RFC 8628, section 3.5";
const authorizationPending = errorFactory("authorization_pending", section);
const slowDown = errorFactory("slow_down", section);
const expiredToken = errorFactory("expired_token", section);
const accessDenied = errorFactory("access_denied", section);

const credentialName = "device code";

/** A device code that was found, before its authorization is known. */
type StoredDeviceCode = Omit<OneTimeCredential<DeviceCode>, "authorization">;

/** Redeems a device code, once the user has decided (RFC 8628, section 3.4). */
export const deviceCodeGrant: Grant = {
  type: deviceCodeGrantType,
  async redeem(ctx, { client, parameters }) {
    const secret = requireParameter(parameters, "device_code", "RFC 8628, section 3.4");
    const deviceCode = await requireDeviceCode(ctx, client, secret);
    await checkCodeVerifier(deviceCode.value.codeChallenge, parameters.get("code_verifier"));
    checkExpiration(ctx, deviceCode);
    const authorizationId = await requireDecision(ctx, deviceCode.value);
    const authorization = await requireActiveAuthorization(
      ctx,
      client,
      authorizationId,
      credentialName,
    );
    const credential = { ...deviceCode, authorization };
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
): Promise<StoredDeviceCode> {
  const table = ctx.records.deviceCodes;
  const row = await table.get(secret);
  if (!row) throw invalidCredential(credentialName, "It is unknown, or it has expired.");
  const { value, usedAt } = row;
  if (value.clientId !== client.id) {
    throw invalidCredential(credentialName, `It belongs to the client '${value.clientId}'.`);
  }
  if (value.requestedBy && !refersTo(value.requestedBy, client)) {
    throw invalidCredential(credentialName, "Its client was disabled or replaced since.");
  }
  return { table, secret, name: credentialName, value, used: usedAt !== undefined };
}

/** A used device code is not checked: its second use must revoke what was issued from it. */
function checkExpiration(ctx: Context, { value, used }: StoredDeviceCode): void {
  if (used || value.device.expiresAt > ctx.now()) return;
  throw expiredToken("The device code has expired.");
}

/** Returns the id of the authorization, once the user has allowed it. */
async function requireDecision(ctx: Context, { device }: DeviceCode): Promise<string> {
  const decision = await ctx.records.deviceDecisions.find(device.id);
  if (!decision) {
    throw pendingError(await storePoll(ctx, device.id));
  }
  // At the token endpoint, the status is 400 (RFC 6749, section 5.2).
  if (decision.denied) throw accessDenied("The user denied the request.", { status: 400 });
  return decision.authorization;
}

/** Stores the poll. If two arrive at once, one may not be counted; it affects the rate only. */
async function storePoll(ctx: Context, deviceId: string): Promise<Poll> {
  const { pollings } = ctx.records;
  const poll = recordPoll(await pollings.find(deviceId), ctx.now());
  await pollings.put(deviceId, poll.polling, fromNow(ctx, ctx.settings.lifetimes.deviceCode));
  return poll;
}

function pendingError({ tooEarly, polling }: Poll): OAuthError {
  if (!tooEarly) return authorizationPending("The user has not decided yet.");
  return slowDown(
    `The device polls too often. From now on it must wait ${polling.interval} seconds each time.`,
  );
}
