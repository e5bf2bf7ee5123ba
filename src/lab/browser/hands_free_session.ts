import { decideStep, type SignedInDecision } from "../../endpoints/interaction/decide_step.ts";
import type { HeaderList } from "../../http/response.ts";
import type { Context } from "../../issuer/context.ts";
import { findSession, type SignedInUser, startSession } from "../../issuer/sessions/sessions.ts";
import { findUser } from "../../issuer/users/users.ts";
import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import { attainableAcrValues } from "../../protocol/acr.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";
import { LabError } from "../lab_error.ts";
import { twoFactorAcr } from "../pages/one_click.tsx";

/** A user who signs in for a request, and the headers that keep them signed in. */
interface HandsFreeSession {
  signedIn: SignedInUser;
  headers: HeaderList;
}

/** A request with its client. */
export interface RequestOfClient {
  client: Client;
  pending: PendingRequest;
}

/** A request that its user has allowed, and the headers that keep the user signed in. */
export interface AllowedRequest {
  decision: SignedInDecision;
  headers: HeaderList;
}

/** Finds the user of a hands-free sign-in. */
export async function requireUser(ctx: Context, name: string): Promise<User> {
  const user = await findUser(ctx, name);
  if (user) return user;
  throw new LabError(`Hands-free sign-in is on, but the user '${name}' was removed or disabled.`);
}

/** Signs a user in for a request and allows it. Every `prompt` has the same effect. */
export async function allowFor(
  ctx: Context,
  request: Request,
  { client, pending }: RequestOfClient,
  user: User,
): Promise<AllowedRequest> {
  const { signedIn, headers } = await sessionFor(ctx, request, { client, pending }, user);
  const decision = await decideStep(ctx, client, {
    pending: withPrompt(pending, []),
    signedIn,
    chosen: signedIn.session.sid,
    chosenBySignIn: true,
    allowed: true,
  });
  if (decision.step !== "respond") throw new LabError("The sign-in was not sufficient.");
  return { decision, headers };
}

/** Returns the session of the browser if it is enough for the request, or else a new one. */
async function sessionFor(
  ctx: Context,
  request: Request,
  { client, pending }: RequestOfClient,
  user: User,
): Promise<HandsFreeSession> {
  const signedIn = await findSession(ctx, request);
  if (signedIn?.user.subject === user.subject) {
    const prompt = pending.prompt.filter((value) => value === "login");
    const { step } = await decideStep(ctx, client, {
      pending: withPrompt(pending, prompt),
      signedIn,
      allowed: true,
    });
    if (step !== "sign-in") return { signedIn, headers: [] };
  }
  const { acrValues } = ctx.settings;
  const acr = attainableAcrValues(pending.acr, acrValues)[0] ?? acrValues[0];
  const amr = acr === twoFactorAcr ? ["pwd", "mfa"] : ["pwd"];
  const { session, headers } = await startSession(ctx, request, { user, acr, amr });
  return { signedIn: { session, user }, headers };
}

/** Returns a request with another `prompt`. */
export function withPrompt<T extends PendingRequest>(pending: T, prompt: T["prompt"]): T {
  return { ...pending, prompt };
}
