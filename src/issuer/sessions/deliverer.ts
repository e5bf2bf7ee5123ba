import type { Context } from "../context.ts";
import { deliverLogouts } from "./logout_deliveries.ts";

const pause = 10_000;

/** Makes the deliveries that are due, after requests: there is no timer, and no request waits for it. */
export function createDeliverer(ctx: Context): () => void {
  let due = ctx.now() + pause;
  return () => {
    if (ctx.now() < due) return;
    due = ctx.now() + pause;
    ctx.background.begin("logout", () => deliverLogouts(ctx));
  };
}
