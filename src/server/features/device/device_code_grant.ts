import type { GrantResult, TokenRequest } from "../../grants/grant.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { readRequestedAccess } from "../../protocol/access_request.ts";
import { checkCodeVerifier } from "../../protocol/pkce.ts";
import { requirePresent } from "../../protocol/rule.ts";
import type { Row } from "../../store/store.ts";
import { deviceParts } from "./parts.ts";
import { type PolledCredential, redeemPolled } from "./polled_credential.ts";
import { pollingRules } from "./polling_rules.ts";

const deviceCodeRules = pollingRules({
  parameter: "device_code",
  see: "RFC 8628, section 3.4",
  seeSecondUse: "RFC 8628, section 3.4",
  seeErrors: "RFC 8628, section 3.5",
  poller: "device",
  response: "device response",
  restart: "Start the device flow again.",
});

/** Redeems a device code, once the user has decided (RFC 8628, section 3.4). */
export async function redeemDeviceCode(
  ctx: RequestContext,
  { client, parameters }: TokenRequest,
): Promise<GrantResult> {
  const codeVerifier = parameters.get("code_verifier");
  const access = readRequestedAccess(parameters, ctx.settings);
  const secret = requirePresent(ctx.apply, deviceCodeRules.present, parameters.get("device_code"));
  return await redeemPolled(ctx, client, {
    rules: deviceCodeRules,
    tables: deviceParts(ctx),
    secret,
    row: await findDeviceCode(ctx, secret),
    access,
    check: ({ codeChallenge }) => checkCodeVerifier(ctx.apply, codeChallenge, codeVerifier),
  });
}

/** Finds the row of a device code, even if it expired, and notes what it concerns. */
export async function findDeviceCode(
  ctx: Context,
  code: string,
): Promise<Row<PolledCredential> | undefined> {
  const row = await deviceParts(ctx).credentials.getStored(code);
  if (!row) return undefined;
  const { device, waiting = device } = row.value as Partial<PolledCredential>;
  if (!waiting) return undefined;
  ctx.note({ device: waiting.id });
  return { ...row, value: { ...row.value, waiting } };
}
