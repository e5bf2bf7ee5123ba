import type { SignedInUser } from "../../issuer/active_features.ts";
import type { RequestContext } from "../../issuer/context.ts";
import type { Session } from "../../issuer/records/rows.ts";
import type { ChosenSignIn, UserAnswer } from "../../issuer/server_hooks.ts";
import {
  findUnaskedSession,
  startUnaskedSession,
  type UnaskedAuthentication,
} from "../../issuer/sessions/sessions.ts";
import { numericDate } from "../../issuer/time.ts";
import { findUser } from "../../issuer/users/users.ts";
import type { Client } from "../../model/client.ts";
import { acrOfPassword, attainableAcrValues } from "../../protocol/acr.ts";
import { needsSignIn, unsettledState } from "../../protocol/next_step.ts";
import {
  grantsAnything,
  type PendingRequest,
  refusableScopes,
  withoutScopes,
} from "../../protocol/pending_request.ts";
import { decideStep, type Decision, gatherState, type StepInput } from "./decide_step.ts";

/** A request to decide about, and the answer for its user, if there is one. */
export interface AnsweredStep extends StepInput {
  answer: UserAnswer | undefined;
}

/** Returns the answer for the user of a request, if there is one. */
export function answerFor(
  { hooks, settings, request }: RequestContext,
  pending: PendingRequest,
  isNew: boolean,
): UserAnswer | undefined {
  const acrValues = attainableAcrValues(pending.acr, settings.acrValues);
  return hooks.unasked?.answerForUser({ pending, request, isNew, acrValues });
}

/**
 * Decides about the next step as `decideStep` does, but asks for nothing that the answer covers.
 */
export async function decideWithAnswer(
  ctx: RequestContext,
  client: Client,
  step: AnsweredStep,
): Promise<Decision> {
  const decision = await decideForUser(ctx, client, step);
  const { answer } = step;
  if (!answer || decision.step !== "respond" || !decision.unasked) return decision;
  // The answer may deny the request, or allow a part of its scope.
  const refused = refusableScopes(decision.pending.scope).filter((token) =>
    answer.grant?.includes(token) === false
  );
  const pending = withoutScopes(decision.pending, refused, ctx.settings);
  const isDenied = answer.decision === "deny" || !grantsAnything(pending);
  return { ...decision, pending, refused, isDenied };
}

/** Decides for the user whom the answer signs in, with a session that suffices or a new one. */
async function decideForUser(
  ctx: RequestContext,
  client: Client,
  { answer, ...asked }: AnsweredStep,
): Promise<Decision> {
  if (!answer) return await decideStep(ctx, client, asked);
  const allowed: StepInput = { ...asked, allowedBy: "answer" };
  if (!answer.signIn) return await decideStep(ctx, client, allowed);
  const { userName, acr = acrOfPassword(ctx.settings.acrValues), amr, chosen = {} } = answer.signIn;
  const user = await findUser(ctx, userName);
  if (!user) return await decideStep(ctx, client, asked);
  const own = asked.signedIn?.user.subject === user.subject
    ? asked.signedIn
    : await findUnaskedSession(ctx, user);
  const signIn = { user, acr, amr, factor: chosen.factor, sid: own?.session.sid };
  const before = unsettledState(asked.progress);
  for (const signedIn of knownSessions(own, signIn, chosen)) {
    const { session } = signedIn;
    const known: StepInput = { ...allowed, signedIn };
    const state = await gatherState(ctx, client, known);
    if (!state.session || needsSignIn(state, state.session)) continue;
    const progress = { state: "selected", sid: session.sid, before } as const;
    const decision = await decideStep(ctx, client, { ...known, progress });
    return signedIn === own ? decision : await startFor(ctx, decision, signIn, session.authTime);
  }
  if (chosen.authTime !== undefined && asked.pending.prompt.includes("none")) {
    return await decideStep(ctx, client, { ...allowed, signedIn: undefined });
  }
  const authTime = numericDate(ctx);
  const session = draftSession(signIn, authTime);
  const decision = await decideStep(ctx, client, {
    ...allowed,
    signedIn: { session, user },
    progress: { state: "signed-in", sid: session.sid, before },
  });
  return await startFor(ctx, decision, signIn, authTime);
}

/**
 * Returns the sessions that may be sufficient for a request: that of the user, and the one that was
 * chosen, which comes first. The user's own is then from a later sign-in, for another request.
 */
function knownSessions(
  own: SignedInUser | undefined,
  signIn: UnaskedAuthentication,
  { acr, amr, factor, authTime }: ChosenSignIn,
): SignedInUser[] {
  const isAsChosen = own && (acr === undefined || own.session.acr === acr) &&
    (factor === undefined || own.session.factor === factor) &&
    (amr === undefined || amr.join(" ") === own.session.amr?.join(" "));
  const owns = isAsChosen ? [own] : [];
  if (authTime === undefined || owns[0]?.session.authTime === authTime) return owns;
  return [{ session: draftSession(signIn, authTime), user: signIn.user, unasked: true }, ...owns];
}

function draftSession(signIn: UnaskedAuthentication, authTime: number): Session {
  const { user: { name: userName, subject }, acr, amr, factor } = signIn;
  return { sid: "", userName, subject, authTime, acr, amr, factor };
}

/**
 * Starts the session of which a decision has a draft. A refused request must not end the browser's
 * session, so this comes after the decision.
 */
async function startFor(
  ctx: RequestContext,
  decision: Decision,
  signIn: UnaskedAuthentication,
  authTime: number,
): Promise<Decision> {
  if (decision.step === "sign-in") return decision;
  return { ...decision, signedIn: await startUnaskedSession(ctx, { ...signIn, authTime }) };
}
