import { resourceRules } from "../../protocol/resource.ts";
import { featuresOf } from "../active_features.ts";
import type { Context } from "../context.ts";

/**
 * Whether the configuration names an audience. Such an audience can never be the id of a client.
 */
export function isNamedAudience({ settings }: Context, audience: string): boolean {
  const { issuer, defaultResource, resources } = settings;
  return audience === issuer || audience === defaultResource ||
    (resources !== "any" && resources.only.some(({ uri }) => uri === audience));
}

/**
 * Checks that no audience is the id of a client: to that client, an access token could look like an
 * ID token.
 */
export async function checkNoClientId(ctx: Context, audiences: readonly string[]): Promise<void> {
  const isClient = audiences.length > 0 && await containsClientId(ctx, audiences);
  ctx.apply(resourceRules.no_client, { isClient });
}

/** Whether an audience is the id of a client, even a disabled one. Fetches nothing. */
export async function containsClientId(
  ctx: Context,
  audiences: readonly string[],
): Promise<boolean> {
  for (const audience of audiences) {
    if (!isNamedAudience(ctx, audience) && await isClientId(ctx, audience)) return true;
  }
  return false;
}

async function isClientId(ctx: Context, id: string): Promise<boolean> {
  const { settings, records } = ctx;
  if (settings.clients.has(id) || await records.clients.get(id)) return true;
  for (const source of featuresOf(ctx).clientSources) {
    if (await source.knows?.(ctx, id)) return true;
  }
  return false;
}
