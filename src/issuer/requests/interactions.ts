import { RedirectedError } from "../../protocol/authorization_response.ts";
import { errorFactory } from "../../protocol/oauth_error.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";
import type { Context } from "../context.ts";
import { randomSecret } from "../random.ts";
import type { Interaction, InteractionProgress } from "../records/rows.ts";
import type { Browser } from "../sessions/browsers.ts";
import { fromNow } from "../time.ts";

const invalidRequest = errorFactory("invalid_request");

/** An interaction that is not finished, with its progress. */
export interface PendingInteraction extends Interaction, InteractionProgress {
  id: string;
  /** The browser that began it. */
  browser: Browser;
}

/** Stores a request until its user has signed in and consented. */
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
    fromNow(ctx, ctx.settings.lifetimes.interaction),
  );
  return { id, browser, ...interaction };
}

/** Finds a pending interaction, for the browser that began it and no other. */
export async function findInteraction(
  ctx: Context,
  id: string,
  browser: Browser | undefined,
): Promise<PendingInteraction> {
  const [row, progress] = await Promise.all([
    ctx.records.interactions.get(id),
    ctx.records.interactionProgress.find(id),
  ]);
  if (!row || !browser || row.value.browserHash !== browser.hash) {
    throw invalidRequest(
      "This sign-in has expired or belongs to another browser. Start again at the application.",
      { isExpired: true },
    );
  }
  if (row.usedAt !== undefined) throw alreadyFinished(row.value.pending);
  return { id, browser, ...row.value, ...progress };
}

/**
 * Stores the progress of an interaction. The interaction itself may be finished by now, so it is
 * not written again.
 */
export async function continueInteraction(
  ctx: Context,
  { id }: PendingInteraction,
  progress: InteractionProgress,
): Promise<void> {
  await ctx.records.interactionProgress.put(
    id,
    progress,
    fromNow(ctx, ctx.settings.lifetimes.interaction),
  );
}

/** Consumes an interaction: it gets one response, however often a form is sent. */
export async function finishInteraction(
  ctx: Context,
  { id, pending, pushedId }: PendingInteraction,
): Promise<void> {
  const keepUntil = fromNow(ctx, ctx.settings.lifetimes.interaction);
  if (!await ctx.records.interactions.consume(id, keepUntil)) throw alreadyFinished(pending);
  if (pushedId !== undefined) await consumePushedRequest(ctx, pushedId, pending);
}

/** Consumes a pushed request. */
export async function consumePushedRequest(
  ctx: Context,
  pushedId: string,
  pending: PendingRequest,
): Promise<void> {
  const keepUntil = fromNow(ctx, ctx.settings.lifetimes.interaction);
  if (await ctx.records.pushedRequests.consume(pushedId, keepUntil)) return;
  throw alreadyFinished(pending);
}

/**
 * The response may have been lost, if something failed just after the request was consumed. The
 * client can still be told.
 */
function alreadyFinished({ responseTarget }: PendingRequest): Error {
  const error = invalidRequest(
    "This request was already completed. Go back to the application to sign in again.",
    { isExpired: true },
  );
  return responseTarget ? new RedirectedError(responseTarget, error, true) : error;
}
