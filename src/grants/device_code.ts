import type { Context } from "../issuer/context.ts";
import type { DeviceCode } from "../issuer/records/rows.ts";
import { after } from "../issuer/time.ts";
import type { Client } from "../model/client.ts";
import { narrowAccessRights } from "../protocol/access_request.ts";
import { deviceCodeGrant } from "../protocol/device_request.ts";
import { requireParameter } from "../protocol/form_parameters.ts";
import { errorFactory, type OAuthError } from "../protocol/oauth_error.ts";
import { checkCodeVerifier } from "../protocol/pkce.ts";
import { recordPoll } from "../protocol/polling.ts";
import type { Grant } from "./grant.ts";
import {
  activeAuthorizationFor,
  consumeCredential,
  invalidCredential,
} from "./one_time_credential.ts";

const section = "RFC 8628, section 3.5";
const authorizationPending = errorFactory("authorization_pending", section);
const slowDown = errorFactory("slow_down", section);
const expiredToken = errorFactory("expired_token", section);
const accessDenied = errorFactory("access_denied", section);

const what = "device code";

/** A device asks whether its person has decided by now (RFC 8628, section 3.4). */
export const deviceCode: Grant = {
  type: deviceCodeGrant,
  async redeem(ctx, { client, parameters }) {
    const secret = requireParameter(parameters, "device_code", "RFC 8628, section 3.4");
    const { value, used } = await findDeviceCode(ctx, client, secret);
    await checkCodeVerifier(value.codeChallenge, parameters.get("code_verifier"));
    if (!used && value.device.expiresAt <= ctx.now()) {
      throw expiredToken("The device code has expired.");
    }
    const authorization = await activeAuthorizationFor(
      ctx,
      client,
      await authorizationOf(ctx, value),
      what,
    );
    const code = { table: ctx.records.deviceCodes, secret, value, used, authorization, name: what };
    return {
      entitlement: { ...narrowAccessRights(parameters, authorization), authorization },
      consume: () => consumeCredential(ctx, code),
    };
  },
};

/** Finds what a device polls with, if it is this client's. */
async function findDeviceCode(
  ctx: Context,
  client: Client,
  secret: string,
): Promise<{ value: DeviceCode; used: boolean }> {
  const row = await ctx.records.deviceCodes.get(secret);
  if (!row) throw invalidCredential(what, "It is unknown, or it has expired long ago.");
  const { value, usedAt } = row;
  if (value.clientId !== client.id) {
    throw invalidCredential(what, `It belongs to the client '${value.clientId}'.`);
  }
  return { value, used: usedAt !== undefined };
}

/** The authorization that the person gave; until then a device must be patient, and if they said no, it must stop. */
async function authorizationOf(ctx: Context, { device }: DeviceCode): Promise<string> {
  const answer = await ctx.records.deviceDecisions.find(device.id);
  if (!answer) throw await pendingError(ctx, device.id);
  if (answer.denied) throw accessDenied("The user did not allow this.", { status: 400 });
  return answer.authorization;
}

/** Of two polls at the same time one may not be counted; nothing but the pace depends on it. */
async function pendingError(ctx: Context, device: string): Promise<OAuthError> {
  const { tooEarly, polling } = recordPoll(await ctx.records.pollings.find(device), ctx.now());
  await ctx.records.pollings.put(device, polling, after(ctx, ctx.settings.lifetimes.deviceCode));
  if (!tooEarly) return authorizationPending("The user has not decided yet.");
  return slowDown(
    `The device asks too often; from now on it waits ${polling.interval} seconds each time.`,
  );
}
