import type { ConcernedIds } from "../../server/config/event_request.ts";
import type { Context } from "../../server/issuer/context.ts";
import { intendedForm, tokenOf, type WireRequest } from "./exchange.ts";
import { findConcernedIds } from "./presented_values.ts";

/**
 * Asks the server what a request concerns, for a request that the server does not get, or refuses
 * before it looks: a fault responds in its place, or the client fails to authenticate.
 */
export async function identifyRequest(ctx: Context, request: WireRequest): Promise<ConcernedIds> {
  const { path, query } = request;
  const form = intendedForm(request);
  return await findConcernedIds(ctx, {
    path,
    accessToken: tokenOf(request),
    parameter: (name) => form.get(name) ?? query.get(name) ?? undefined,
  });
}
