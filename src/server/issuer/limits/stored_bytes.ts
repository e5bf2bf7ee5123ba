import { type Client, isPublic } from "../../model/client.ts";
import type { Context } from "../context.ts";
import { limitExceeded, limitRules } from "./limit_rules.ts";

/** What a row takes up beside its value, in bytes. */
const rowOverhead = 256;

/**
 * Charges the sender of a request for what it makes us store. Anyone may send such requests;
 * without a limit, one sender could fill the disk.
 */
export function chargeForStorage({ storedBytes, sender }: Context, value: unknown): void {
  const bytes = JSON.stringify(value).length + rowOverhead;
  if (!storedBytes.take(sender, bytes)) throw limitExceeded(limitRules.stored_data);
}

/** Charges for storage, unless the client is trusted and has authenticated. */
export function chargeClientForStorage(ctx: Context, client: Client, value: unknown): void {
  if (isPublic(client) || !client.trusted) chargeForStorage(ctx, value);
}
