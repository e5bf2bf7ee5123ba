import type { Asked } from "../../protocol/asked.ts";
import { OAuthError } from "../../protocol/oauth_error.ts";
import { RedirectedError } from "../../protocol/redirected_error.ts";
import type { Context } from "../context.ts";
import { randomSecret } from "../random.ts";
import type { Interaction, InteractionProgress } from "../records/rows.ts";
import type { Browser } from "../sessions/browsers.ts";
import { after } from "../time.ts";

/** A request that waits for its person, with the id under which it waits, and how far they have come. */
export interface Waiting extends Interaction, InteractionProgress {
  id: string;
}

/** Keeps a request until its person has done what it needs. */
export async function beginInteraction(ctx: Context, asked: Asked, browser: Browser, pushed?: string): Promise<Waiting> {
  const id = randomSecret(ctx);
  const interaction = { asked, browser: browser.hash, pushed };
  await ctx.records.interactions.put(id, interaction, after(ctx, ctx.settings.lifetimes.interaction));
  return { id, ...interaction };
}

/** Finds a request that waits, for the browser that began it and no other. */
export async function findInteraction(ctx: Context, id: string, browser: Browser | undefined): Promise<Waiting> {
  const [row, progress] = await Promise.all([ctx.records.interactions.get(id), ctx.records.interactionProgress.find(id)]);
  if (!row || row.value.browser !== browser?.hash) {
    throw refuse("This sign-in has expired, or another browser began it. Go back to the application and start again.");
  }
  if (row.usedAt !== undefined) throw finished(row.value.asked);
  return { id, ...row.value, ...progress };
}

/** Remembers how far the person has come. The request itself is not written again: it may have been answered meanwhile. */
export async function continueInteraction(ctx: Context, { id }: Waiting, progress: InteractionProgress): Promise<void> {
  await ctx.records.interactionProgress.put(id, progress, after(ctx, ctx.settings.lifetimes.interaction));
}

/** Uses a waiting request up: it is answered once, however often a form is sent. */
export async function finishInteraction(ctx: Context, { id, asked, pushed }: Waiting): Promise<void> {
  const keepUntil = after(ctx, ctx.settings.lifetimes.interaction);
  if (!await ctx.records.interactions.consume(id, keepUntil)) throw finished(asked);
  if (pushed !== undefined) await finishPushed(ctx, pushed, asked);
}

/** Uses up a request that was pushed before. */
export async function finishPushed(ctx: Context, pushed: string, asked: Asked): Promise<void> {
  if (!await ctx.records.pushedRequests.consume(pushed, after(ctx, ctx.settings.lifetimes.interaction))) throw finished(asked);
}

/** The response may have been lost, by a failure just after the request was used up: the client can still be told. */
function finished({ replyTo }: Asked): Error {
  const error = refuse("This request has been answered already. Go back to the application; to sign in again, start again there.");
  return replyTo ? new RedirectedError(replyTo, error, true) : error;
}

function refuse(message: string): OAuthError {
  return new OAuthError("invalid_request", message);
}
