import { featuresOf, type GivenConsent, type SignedInUser } from "../../issuer/active_features.ts";
import { hasConsented } from "../../issuer/authorizations/consents.ts";
import { beginConsent } from "../../issuer/authorizations/withdrawals.ts";
import { lookUpClient } from "../../issuer/clients/clients.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { matchesRequestedUser } from "../../issuer/requests/id_token_hint.ts";
import { numericDate } from "../../issuer/time.ts";
import { isSufficientFor } from "../../issuer/users/sign_in_factor.ts";
import { permittedScope } from "../../issuer/users/users.ts";
import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import {
  type InteractionProgress,
  type InteractionState,
  type InteractionStep,
  nextStep,
  userRules,
} from "../../protocol/next_step.ts";
import { OAuthError } from "../../protocol/oauth_error.ts";
import {
  checkStillAllowed,
  grantsAnything,
  narrowRequest,
  type PendingRequest,
  skipsConsent,
} from "../../protocol/pending_request.ts";
import { scopeRules } from "../../protocol/scope.ts";

/** A pending request, and how far the user has come with it. */
export interface StepInput {
  pending: PendingRequest;
  signedIn: SignedInUser | undefined;
  progress: InteractionProgress;
  /** Who has just allowed the request: the user, an answer for the user, or the operator. */
  allowedBy?: "user" | "answer" | "operator";
}

/** The next step of a request. */
export type Decision = SignInDecision | SignedInDecision;

export interface SignInDecision {
  step: "sign-in";
  pending: PendingRequest;
  client: Client;
}

export interface SignedInDecision {
  step: Exclude<InteractionStep, "sign-in">;
  pending: PendingRequest;
  client: Client;
  signedIn: SignedInUser;
  /** The consent, if it is given in this request. */
  given?: GivenConsent | undefined;
  /** What the user did not allow of the requested scope, in this request. */
  refused?: readonly string[];
  /** Whether the consent was given without asking the user. */
  unasked: boolean;
  /** Whether the request is denied without asking the user. */
  isDenied?: boolean;
}

/**
 * Finds the client of a pending request. The client may have changed since, and no longer trust the
 * redirect URI.
 */
export async function findRequestingClient(
  ctx: RequestContext,
  pending: PendingRequest,
): Promise<Client> {
  const client = await lookUpClient(ctx, pending.clientId);
  const polledBy = pending.responseTarget
    ? undefined
    : featuresOf(ctx).completionOf(pending)?.grantType;
  return checkStillAllowed(ctx.apply, { pending, client, polledBy });
}

/** Gathers the facts about a pending request and lets `nextStep` decide. */
export async function decideStep(
  ctx: Context,
  client: Client,
  asked: StepInput,
): Promise<Decision> {
  const skips = asked.allowedBy === undefined && skipsConsent(client, asked.pending);
  const input: StepInput = skips ? { ...asked, allowedBy: "operator" } : asked;
  const { signedIn, allowedBy } = input;
  const pending = signedIn
    ? await permittedRequest(ctx, client, input.pending, signedIn.user)
    : input.pending;
  const isGiven = allowedBy && signedIn;
  const given = isGiven && {
    ...await beginConsent(ctx, signedIn.user, client),
    byOperator: allowedBy === "operator",
  };
  const state = await gatherState(ctx, client, { ...input, pending });
  let step: InteractionStep;
  try {
    step = nextStep(ctx.apply, state);
  } catch (cause) {
    // A user who may not use the client denies by that what a client polls for.
    if (signedIn && cause instanceof OAuthError && cause.details.rule === userRules.may_use) {
      ctx.emit({ type: "user.refused", user: signedIn.user.name, client: client.id });
      if (!pending.responseTarget) await featuresOf(ctx).completionOf(pending)?.deny(ctx, client);
    }
    throw cause;
  }
  if (step === "sign-in" || !signedIn) return { step: "sign-in", pending, client };
  const refusal = step === "select-account"
    ? undefined
    : await ctx.hooks.refusals?.ofUser?.(signedIn.user);
  if (refusal) throw refusal;
  const unasked = allowedBy === "answer" || allowedBy === "operator";
  return { step, pending, client, signedIn, given, unasked };
}

/** Narrows a request to what the policy of the configuration permits. */
async function permittedRequest(
  ctx: Context,
  client: Client,
  pending: PendingRequest,
  user: User,
): Promise<PendingRequest> {
  if (!ctx.settings.policies.scope) return pending;
  const scope = await permittedScope(ctx, user, client, pending.scope, "authorization");
  const narrowed = narrowRequest(pending, scope, ctx.settings);
  ctx.apply(scopeRules.permitted, { isAny: narrowed === pending || grantsAnything(narrowed) });
  return narrowed;
}

/** Gathers everything that the decision about the next step depends on. */
export async function gatherState(
  ctx: Context,
  client: Client,
  input: StepInput,
): Promise<InteractionState> {
  const { pending, signedIn, progress } = input;
  return {
    request: pending,
    session: signedIn && {
      ...signedIn.session,
      isSufficient: isSufficientFor(ctx, signedIn.user, signedIn.session),
    },
    progress,
    matchesRequestedUser: signedIn === undefined ||
      await matchesRequestedUser(ctx, client, pending, signedIn.user),
    acrValues: ctx.settings.acrValues,
    consented: await isAllowed(ctx, input, client),
    client,
    user: signedIn?.user,
    now: numericDate(ctx),
  };
}

async function isAllowed(
  ctx: Context,
  { pending, signedIn, allowedBy }: StepInput,
  client: Client,
): Promise<boolean> {
  if (allowedBy) return true;
  if (!signedIn || pending.prompt.includes("consent")) return false;
  return await hasConsented(ctx, signedIn, client, pending);
}
