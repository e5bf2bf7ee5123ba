import { interactionIdAt } from "../../server/config/endpoint_paths.ts";
import type { ConcernedIds } from "../../server/config/event_request.ts";
import { findStoredRow } from "../../server/grants/one_time_credential.ts";
import type { Context } from "../../server/issuer/context.ts";
import { findDeviceRequest } from "../../server/issuer/requests/devices.ts";
import { findStoredInteraction } from "../../server/issuer/requests/interactions.ts";
import { findStoredRequest } from "../../server/issuer/requests/pushed_requests.ts";
import { findActiveToken } from "../../server/issuer/tokens/active_tokens.ts";
import { pushedRequestHandle } from "../../server/protocol/request_delivery.ts";
import { readUserCode } from "../../server/protocol/user_code.ts";
import { sha256 } from "../../server/util/crypto/hash.ts";
import { tokenOf, type WireRequest } from "./exchange.ts";

/** Looks up what a parameter names; the context notes what it concerns. */
type LookUp = (ctx: Context, value: string) => Promise<unknown>;

/** How the server finds what a request presents. */
const lookUps: Readonly<Record<string, LookUp>> = {
  code: (ctx, code) => findStoredRow(ctx, ctx.records.codes, code),
  refresh_token: (ctx, token) => findStoredRow(ctx, ctx.records.refreshTokens, token),
  device_code: (ctx, code) => findStoredRow(ctx, ctx.records.deviceCodes, code),
  user_code: async (ctx, text) => await findDeviceRequest(ctx, readUserCode(text) ?? ""),
  request_uri: async (ctx, uri) =>
    await findStoredRequest(ctx, await sha256(pushedRequestHandle(uri) ?? "")),
  token: findActiveToken,
  subject_token: findActiveToken,
};

/**
 * Asks the server's records what a request concerns, for a request that the server does not get, or
 * refuses before it looks: a fault responds in its place, or the client fails to authenticate.
 */
export async function identifyRequest(ctx: Context, request: WireRequest): Promise<ConcernedIds> {
  const ids: ConcernedIds = {};
  const asking = { ...ctx, note: (facts: ConcernedIds) => void Object.assign(ids, facts) };
  // A request is recorded even if the store fails.
  await lookUpAll(asking, request).catch(() => {});
  return ids;
}

async function lookUpAll(ctx: Context, request: WireRequest): Promise<void> {
  const interaction = interactionIdAt(ctx.settings.paths, request.path);
  if (interaction !== undefined) await findStoredInteraction(ctx, interaction);
  const bearerToken = tokenOf(request);
  if (bearerToken !== undefined) await findActiveToken(ctx, bearerToken);
  for (const [name, lookUp] of Object.entries(lookUps)) {
    const value = request.form.get(name) ?? request.query.get(name);
    if (value) await lookUp(ctx, value);
  }
}
