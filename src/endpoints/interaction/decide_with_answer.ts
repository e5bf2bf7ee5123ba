import type { Context, RequestContext } from "../../issuer/context.ts";
import type { UserAnswer } from "../../issuer/requests/user_answer.ts";
import { startSession } from "../../issuer/sessions/sessions.ts";
import type { Authentication } from "../../issuer/users/authenticate_user.ts";
import { findUser } from "../../issuer/users/users.ts";
import type { Client } from "../../model/client.ts";
import { attainableAcrValues } from "../../protocol/acr.ts";
import { needsSignIn, unsettledState } from "../../protocol/next_step.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";
import { decideStep, type Decision, gatherState, type StepInput } from "./decide_step.ts";

/** A request to decide about, and the answer in place of its user, if there is one. */
export interface AnsweredStep extends StepInput {
  answer: UserAnswer | undefined;
}

/** The session of a user who is not asked. */
type UnaskedSession = Pick<StepInput, "signedIn" | "progress" | "headers">;

/** Returns the answer in place of the user of a request, if there is one. */
export function answerFor(
  { answerForUser, settings }: Context,
  pending: PendingRequest,
  isNew: boolean,
): UserAnswer | undefined {
  const acrValues = attainableAcrValues(pending.acr, settings.acrValues);
  return answerForUser?.({ pending, isNew, acrValues });
}

/** Decides about the next step as `decideStep` does, but asks for nothing that the answer covers. */
export async function decideWithAnswer(
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
  const authentication = { user, acr, amr, unasked: true };
  const session = await sessionFor(ctx, client, allowed, authentication);
  return await decideStep(ctx, client, { ...allowed, ...session });
}

/** Returns the session of the browser if it is the user's and enough for the request, or a new one. */
async function sessionFor(
  ctx: RequestContext,
  client: Client,
  input: StepInput,
  authentication: Authentication,
): Promise<UnaskedSession> {
  const { signedIn, progress } = input;
  const { user } = authentication;
  const before = unsettledState(progress);
  if (signedIn?.user.subject === user.subject) {
    const { session } = signedIn;
    const settled = { state: "selected", sid: session.sid, before } as const;
    const state = await gatherState(ctx, client, input);
    if (!needsSignIn(state, session)) return { signedIn, progress: settled };
  }
  const { session, headers } = await startSession(ctx, authentication);
  const settled = { state: "signed-in", sid: session.sid, before } as const;
  return { signedIn: { session, user }, progress: settled, headers };
}
