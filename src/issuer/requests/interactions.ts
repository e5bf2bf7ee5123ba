import { RedirectedError } from "../../protocol/authorization_response.ts";
import { errorFactory } from "../../protocol/oauth_error.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";
import type { Context } from "../context.ts";
import { randomSecret } from "../random.ts";
import type { Interaction, InteractionProgress } from "../records/rows.ts";
import type { Browser } from "../sessions/browsers.ts";
import { after } from "../time.ts";

const invalidRequest = errorFactory("invalid_request");

/** A request that waits for its person, with the id under which it waits, and how far they have come. */
export interface PendingInteraction extends Interaction, InteractionProgress {
  id: string;
}

/** Keeps a request until its person has done what it needs. */
export async function startInteraction(
  ctx: Context,
  pending: PendingRequest,
  browser: Browser,
  pushedId?: string,
): Promise<PendingInteraction> {
  const id = randomSecret(ctx);
  const interaction = { pending, browserHash: browser.hash, pushedId };
  await ctx.records.interactions.put(
    id,
    interaction,
    after(ctx, ctx.settings.lifetimes.interaction),
  );
  return { id, ...interaction };
}

/** Finds a request that waits, for the browser that began it and no other. */
export async function findInteraction(
  ctx: Context,
  id: string,
  browser: Browser | undefined,
): Promise<PendingInteraction> {
  const [row, progress] = await Promise.all([
    ctx.records.interactions.get(id),
    ctx.records.interactionProgress.find(id),
  ]);
  if (!row || row.value.browserHash !== browser?.hash) {
    throw invalidRequest(
      "This sign-in has expired, or another browser began it. Go back to the application and start again.",
    );
  }
  if (row.usedAt !== undefined) throw alreadyFinished(row.value.pending);
  return { id, ...row.value, ...progress };
}

/** Remembers how far the person has come. The request itself is not written again: it may have been answered meanwhile. */
export async function continueInteraction(
  ctx: Context,
  { id }: PendingInteraction,
  progress: InteractionProgress,
): Promise<void> {
  await ctx.records.interactionProgress.put(
    id,
    progress,
    after(ctx, ctx.settings.lifetimes.interaction),
  );
}

/** Uses a waiting request up: it is answered once, however often a form is sent. */
export async function finishInteraction(
  ctx: Context,
  { id, pending, pushedId }: PendingInteraction,
): Promise<void> {
  const keepUntil = after(ctx, ctx.settings.lifetimes.interaction);
  if (!await ctx.records.interactions.consume(id, keepUntil)) throw alreadyFinished(pending);
  if (pushedId !== undefined) await consumePushedRequest(ctx, pushedId, pending);
}

/** Uses up a request that was pushed before. */
export async function consumePushedRequest(
  ctx: Context,
  pushed: string,
  pending: PendingRequest,
): Promise<void> {
  if (
    !await ctx.records.pushedRequests.consume(
      pushed,
      after(ctx, ctx.settings.lifetimes.interaction),
    )
  ) throw alreadyFinished(pending);
}

/** The response may have been lost, by a failure just after the request was used up: the client can still be told. */
function alreadyFinished({ responseTarget }: PendingRequest): Error {
  const error = invalidRequest(
    "This request has been answered already. Go back to the application; to sign in again, start again there.",
  );
  return responseTarget ? new RedirectedError(responseTarget, error, true) : error;
}
