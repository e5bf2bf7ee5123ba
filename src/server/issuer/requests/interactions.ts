import type { ConcernedIds } from "../../config/events.ts";
import { RedirectedError } from "../../protocol/authorization_response.ts";
import type { InteractionProgress } from "../../protocol/next_step.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";
import { requireValue, ruleSet } from "../../protocol/rule.ts";
import type { Row } from "../../store/store.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import { featuresOf } from "../active_features.ts";
import type { Context } from "../context.ts";
import { randomSecret } from "../random.ts";
import type { Interaction } from "../records/rows.ts";
import type { Browser } from "../sessions/browsers.ts";
import { fromNow } from "../time.ts";

const about = {
  see: "RFC 9700, section 4.7",
  error: "invalid_request",
  details: { isExpired: true },
} as const;

/** Users see the messages. */
const interactionRules = ruleSet("interaction", about, {
  browser: {
    title: "The sign-in must not have expired, and must have begun in this browser",
    message:
      "This sign-in has expired or belongs to another browser. Start again at the application.",
    fix: "Start the authorization request again, and complete it in the same browser.",
    holds: (
      { stored, browser }: { stored: Interaction | undefined; browser: Browser | undefined },
    ) => stored !== undefined && browser !== undefined && stored.browserHash === browser.hash,
  },
  unfinished: {
    see: "OAuth 2.1, section 4.1.2",
    title: "The request must not have been completed before",
    message: "This request was already completed. Go back to the application to sign in again.",
    fix: "Start a new authorization request.",
    holds: ({ isFirst }: { isFirst: boolean }) => isFirst,
  },
});

/** An interaction that is not finished, with its progress. */
export interface PendingInteraction extends Interaction {
  id: string;
  progress: InteractionProgress;
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
  ctx.note({ interaction: await sha256(id) });
  return { id, browser, progress: { state: "begun" }, ...interaction };
}

/** Finds a pending interaction, for the browser that began it and no other. */
export async function findInteraction(
  ctx: Context,
  id: string,
  browser: Browser | undefined,
): Promise<PendingInteraction> {
  const [row, progress = { state: "begun" as const }] = await Promise.all([
    findStoredInteraction(ctx, id),
    ctx.records.interactionProgress.find(id),
  ]);
  const stored = row?.value;
  const known = stored && browser && { id, browser, ...stored, progress };
  const found = requireValue(ctx.apply, interactionRules.browser, { stored, browser }, known);
  checkUnfinished(ctx, found.pending, row?.usedAt === undefined);
  return found;
}

/** Finds the row of an interaction, and notes what it concerns. */
export async function findStoredInteraction(
  ctx: Context,
  id: string,
): Promise<Row<Interaction> | undefined> {
  const row = await ctx.records.interactions.get(id);
  if (row) ctx.note({ interaction: await sha256(id), ...idsOf(ctx, row.value) });
  return row;
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
  checkUnfinished(ctx, pending, await ctx.records.interactions.consume(id, keepUntil));
  if (pushedId !== undefined) await consumeStoredRequest(ctx, pushedId, pending);
}

export async function consumeStoredRequest(
  ctx: Context,
  pushedId: string,
  pending: PendingRequest,
): Promise<void> {
  const keepUntil = fromNow(ctx, ctx.settings.lifetimes.interaction);
  checkUnfinished(ctx, pending, await ctx.records.storedRequests.consume(pushedId, keepUntil));
}

function idsOf(ctx: Context, { pending, pushedId: pushedRequest }: Interaction): ConcernedIds {
  if (!pending.responseTarget) return featuresOf(ctx).completionOf(pending)?.concerns ?? {};
  return pushedRequest === undefined ? {} : { pushedRequest };
}

/**
 * Checks that a request gets its first response. That one may have been lost, if something failed
 * just after the request was consumed, so the client can still be told.
 */
function checkUnfinished(ctx: Context, { responseTarget }: PendingRequest, isFirst: boolean): void {
  try {
    ctx.apply(interactionRules.unfinished, { isFirst });
  } catch (cause) {
    throw responseTarget ? new RedirectedError(responseTarget, cause, true) : cause;
  }
}
