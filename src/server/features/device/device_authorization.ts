import { jsonResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { authenticateRequest } from "../../issuer/clients/authenticate_client.ts";
import { checkNoClientId } from "../../issuer/clients/clients.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { chargeClientForStorage } from "../../issuer/limits/budget.ts";
import { newCredential, randomId } from "../../issuer/random.ts";
import { fromNow } from "../../issuer/time.ts";
import { type Client, referenceTo } from "../../model/client.ts";
import {
  type AccessRules,
  readAccessRights,
  readRequestedAccess,
} from "../../protocol/access_request.ts";
import { readRequestedAcr } from "../../protocol/acr.ts";
import { checkParameterLengths, type FormParameters } from "../../protocol/form_parameters.ts";
import { deviceCodeGrantType } from "../../protocol/grant_types.ts";
import { readMaxAge } from "../../protocol/interactive_request.ts";
import { issuerUrl } from "../../protocol/issuer_url.ts";
import { OAuthError } from "../../protocol/oauth_error.ts";
import type { PolledRequest } from "../../protocol/pending_request.ts";
import { readCodeChallenge } from "../../protocol/pkce.ts";
import { type ApplyRule, ruleSet } from "../../protocol/rule.ts";
import { deviceParts, type DeviceRequest, userCodeDigest } from "./parts.ts";
import type { WaitingId } from "./polled_credential.ts";
import { pollInterval } from "./polling_rules.ts";
import { formatUserCode, makeUserCode, userCodeBytes } from "./user_code.ts";

const about = {
  see: "RFC 8628, section 3.1",
  parameter: "client_id",
  error: "unauthorized_client",
} as const;

const deviceRules = ruleSet("device", about, {
  allowed: {
    title: "The client must be allowed to use the device authorization grant",
    fix: `Add the grant '${deviceCodeGrantType}' to the client.`,
    holds: ({ grantTypes }: Client) => grantTypes.includes(deviceCodeGrantType),
    expected: ({ grantTypes }) => grantTypes.join(" or ") || "no grant",
  },
});

/** Five collisions in a row are next to impossible while the random bytes are random. */
const maxTries = 5;

/**
 * Starts the flow of a device without a browser: its user enters a code elsewhere (RFC 8628,
 * section 3.1).
 */
export async function deviceAuthorization(ctx: RequestContext): Promise<ResponseData> {
  const { client, parameters } = await authenticateRequest(ctx);
  const deviceRequest = readDeviceRequest(ctx.apply, parameters, client, ctx.settings);
  await checkNoClientId(ctx, deviceRequest.resources);
  chargeClientForStorage(ctx, client, deviceRequest);
  const { deviceCode, userCode } = await startDeviceFlow(ctx, deviceRequest);
  const { paths, lifetime } = deviceParts(ctx);
  const page = issuerUrl(ctx.settings.frontChannelUrl, paths.device);
  return jsonResponse({
    device_code: deviceCode,
    user_code: formatUserCode(userCode),
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${formatUserCode(userCode)}`,
    expires_in: lifetime,
    interval: pollInterval,
  });
}

/** Reads a device authorization request (RFC 8628, section 3.1). */
export function readDeviceRequest(
  apply: ApplyRule,
  parameters: FormParameters,
  client: Client,
  rules: AccessRules,
): PolledRequest {
  apply(deviceRules.allowed, client);
  checkParameterLengths(apply, parameters);
  const access = readAccessRights(apply, readRequestedAccess(parameters, rules), client, rules);
  return {
    clientId: client.id,
    requestedBy: referenceTo(client),
    codeChallenge: readCodeChallenge(apply, parameters, "optional"),
    ...access,
    // An attacker may have started the device flow elsewhere, so the user is always asked.
    prompt: ["consent"],
    maxAge: readMaxAge(apply, parameters.get("max_age")) ?? client.defaultMaxAge,
    acr: readRequestedAcr(parameters.get("acr_values"), undefined, client),
  };
}

/**
 * Issues the code with which a device polls, and the code that its user enters (RFC 8628, section
 * 3.2).
 */
async function startDeviceFlow(
  ctx: Context,
  request: PolledRequest,
): Promise<{ deviceCode: string; userCode: string }> {
  const { credentials, lifetime } = deviceParts(ctx);
  const device: WaitingId = { id: randomId(ctx), expiresAt: fromNow(ctx, lifetime) };
  const { clientId, requestedBy, codeChallenge, scope } = request;
  const userCode = await addUserCode(ctx, { ...request, device });
  const deviceCode = await newCredential(ctx, "device_code", clientId);
  // The row outlives the device code, so that the device learns that it expired.
  const credential = { waiting: device, device, clientId, requestedBy, codeChallenge };
  await credentials.put(deviceCode, credential, fromNow(ctx, 2 * lifetime));
  ctx.note({ device: device.id });
  ctx.emit({ type: "device.began", device: device.id, client: clientId, scope });
  return { deviceCode, userCode };
}

async function addUserCode(ctx: Context, request: DeviceRequest): Promise<string> {
  const { clientId, device: { expiresAt } } = request;
  const chosen = await ctx.hooks.chooseCredential?.("user_code", clientId);
  if (chosen !== undefined) {
    await deviceParts(ctx).userCodes.put(await userCodeDigest(ctx, chosen), request, expiresAt);
    return chosen;
  }
  for (let tries = 0; tries < maxTries; tries++) {
    const userCode = makeUserCode(ctx.settings.randomBytes(userCodeBytes));
    const digest = await userCodeDigest(ctx, userCode);
    if (await deviceParts(ctx).userCodes.add(digest, request, expiresAt)) return userCode;
  }
  throw new OAuthError("temporarily_unavailable", "No user code is free right now; try again.", {
    headers: { "Retry-After": "5" },
  });
}
