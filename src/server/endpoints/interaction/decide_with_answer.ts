import type { RequestContext } from "../../issuer/context.ts";
import type { UserAnswer } from "../../issuer/requests/user_answer.ts";
import {
  findUnaskedSession,
  startUnaskedSession,
  type UnaskedAuthentication,
} from "../../issuer/sessions/sessions.ts";
import { numericDate } from "../../issuer/time.ts";
import { findUser } from "../../issuer/users/users.ts";
import type { Client } from "../../model/client.ts";
import { attainableAcrValues } from "../../protocol/acr.ts";
import { needsSignIn, unsettledState } from "../../protocol/next_step.ts";
import { grantsAnything, refusableScopes, withoutScopes } from "../../protocol/partial_consent.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";
import {
  decideStep,
  type Decision,
  gatherState,
  type SignedInDecision,
  type StepInput,
} from "./decide_step.ts";

/** A request to decide about, and the answer in place of its user, if there is one. */
export interface AnsweredStep extends StepInput {
  answer: UserAnswer | undefined;
}

/** Returns the answer in place of the user of a request, if there is one. */
export function answerFor(
  { answerForUser, settings, request }: RequestContext,
  pending: PendingRequest,
  isNew: boolean,
): UserAnswer | undefined {
  const acrValues = attainableAcrValues(pending.acr, settings.acrValues);
  return answerForUser?.({ pending, request, isNew, acrValues });
}

/**
 * Decides about the next step as `decideStep` does, but asks for nothing that the answer covers.
 */
export async function decideWithAnswer(
  ctx: RequestContext,
  client: Client,
  step: AnsweredStep,
): Promise<Decision> {
  const decision = await decideAnswered(ctx, client, step);
  const { answer } = step;
  const isAnswered = answer && decision.step === "respond" && decision.unasked;
  return isAnswered ? decideUnasked(ctx, decision, answer) : decision;
}

/** Lets the answer deny the request, or allow a part of its scope. */
function decideUnasked(
  { settings }: RequestContext,
  decision: SignedInDecision,
  { decision: chosen = "allow", grant }: UserAnswer,
): SignedInDecision {
  const { pending } = decision;
  const refused = refusableScopes(pending.scope).filter((token) =>
    grant?.includes(token) === false
  );
  const granted = withoutScopes(pending, refused, settings);
  const isDenied = chosen === "deny" || !grantsAnything(granted);
  return { ...decision, pending: granted, refused, isDenied };
}

async function decideAnswered(
  ctx: RequestContext,
  client: Client,
  { answer, ...asked }: AnsweredStep,
): Promise<Decision> {
  if (!answer) return await decideStep(ctx, client, asked);
  const allowed: StepInput = { ...asked, allowedBy: "answer" };
  if (!answer.signIn) return await decideStep(ctx, client, allowed);
  const { userName, acr = ctx.settings.acrValues[0], amr } = answer.signIn;
  const user = await findUser(ctx, userName);
  if (!user) return await decideStep(ctx, client, asked);
  const before = unsettledState(asked.progress);
  const signedIn = asked.signedIn?.user.subject === user.subject
    ? asked.signedIn
    : await findUnaskedSession(ctx, user);
  if (signedIn) {
    const { session } = signedIn;
    const known: StepInput = { ...allowed, signedIn };
    const state = await gatherState(ctx, client, known);
    const selected = { state: "selected", sid: session.sid, before } as const;
    if (!needsSignIn(state, session)) {
      return await decideStep(ctx, client, { ...known, progress: selected });
    }
  }
  const sid = signedIn?.session.sid;
  return await decideForNewSession(ctx, client, allowed, { user, acr, amr, sid });
}

/**
 * Starts a session only after the decision: a refused request must not end the browser's session.
 */
async function decideForNewSession(
  ctx: RequestContext,
  client: Client,
  input: StepInput,
  signIn: UnaskedAuthentication,
): Promise<Decision> {
  const { user, acr, amr } = signIn;
  const { name: userName, subject } = user;
  const draft = { sid: "", userName, subject, authTime: numericDate(ctx), acr, amr };
  const before = unsettledState(input.progress);
  const decision = await decideStep(ctx, client, {
    ...input,
    signedIn: { session: draft, user },
    progress: { state: "signed-in", sid: draft.sid, before },
  });
  if (decision.step === "sign-in") return decision;
  return { ...decision, signedIn: await startUnaskedSession(ctx, signIn) };
}
