import { type Client, isPublic } from "../../model/client.ts";
import type { Context } from "../context.ts";
import { tooMany } from "./too_many.ts";

/** What a row takes up beside its value. */
const rowOverhead = 256;

/**
 * Charges the sender of a request for what it makes us store. Anyone may send such requests: without
 * a limit, one of them could fill the disk.
 */
export function chargeForStorage(ctx: Context, request: Request, value: unknown): void {
  chargeSenderForStorage(ctx, ctx.addressOf(request), value);
}

/** The same for a network, which is undefined if no address is known. */
export function chargeSenderForStorage(
  ctx: Context,
  sender: string | undefined,
  value: unknown,
): void {
  const bytes = JSON.stringify(value).length + rowOverhead;
  if (ctx.storedBytes.take(sender, bytes)) return;
  throw tooMany("Too much has been sent from this network; try again in a minute.");
}

/** A request that a client sends itself. */
interface ClientMessage {
  request: Request;
  client: Client;
}

/** The same, unless the operator knows the client and it has authenticated. */
export function chargeClientForStorage(
  ctx: Context,
  { client, request }: ClientMessage,
  value: unknown,
): void {
  if (isPublic(client) || !client.trusted) chargeForStorage(ctx, request, value);
}
