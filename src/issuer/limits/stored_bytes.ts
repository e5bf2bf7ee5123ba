import { type Client, isPublic } from "../../model/client.ts";
import type { Context } from "../context.ts";
import { limitExceeded, storedDataIsSmall } from "./limit_rules.ts";

/** What a row takes up beside its value, in bytes. */
const rowOverhead = 256;

/** A request that a client sends itself. */
interface ClientMessage {
  request: Request;
  client: Client;
}

/**
 * Charges the sender of a request for what it makes us store. Anyone may send such requests;
 * without a limit, one sender could fill the disk.
 */
export function chargeForStorage(ctx: Context, request: Request, value: unknown): void {
  chargeSenderForStorage(ctx, ctx.addressOf(request), value);
}

/** Charges a network for storage; an unknown one costs nothing. */
export function chargeSenderForStorage(
  ctx: Context,
  sender: string | undefined,
  value: unknown,
): void {
  const bytes = JSON.stringify(value).length + rowOverhead;
  if (!ctx.storedBytes.take(sender, bytes)) throw limitExceeded(storedDataIsSmall);
}

/** Charges for storage, unless the client is trusted and has authenticated. */
export function chargeClientForStorage(
  ctx: Context,
  { client, request }: ClientMessage,
  value: unknown,
): void {
  if (isPublic(client) || !client.trusted) chargeForStorage(ctx, request, value);
}
