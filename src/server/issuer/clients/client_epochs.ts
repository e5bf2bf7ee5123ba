import type { Client } from "../../model/client.ts";
import type { Context } from "../context.ts";
import { randomId } from "../random.ts";

/** Creates the values that distinguish a client from an earlier one with the same id. */
export function newIdentity(ctx: Context): Required<Pick<Client, "instance" | "epoch">> {
  return { instance: randomId(ctx), epoch: randomId(ctx) };
}

/** Disables a client. What was issued to it stays ended, even if it is enabled again. */
export function disabledClient<T extends Client>(ctx: Context, client: T): T {
  return { ...client, disabled: true, epoch: randomId(ctx) };
}
