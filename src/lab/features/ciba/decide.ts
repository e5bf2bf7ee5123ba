import { decideStep } from "../../../server/endpoints/interaction/decide_step.ts";
import { featuresOf, type OpenRequest } from "../../../server/issuer/active_features.ts";
import { findClient } from "../../../server/issuer/clients/clients.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { findUser } from "../../../server/issuer/users/users.ts";
import { attainableAcrValues } from "../../../server/protocol/acr.ts";
import { newSession } from "../../tokens/mint_parties.ts";

/** Decides as the pages would, with a sign-in that is as strong as the client wants. */
export async function decide(
  ctx: Context,
  { pending }: OpenRequest,
  deny: boolean,
): Promise<void> {
  const { completionOf } = featuresOf(ctx);
  const client = await findClient(ctx, pending.clientId);
  const user = await findUser(ctx, pending.loginHint ?? "");
  if (!client || !user) return;
  if (deny) return await completionOf(pending)?.deny(ctx, client);
  const { acrValues } = ctx.settings;
  const [acr = acrValues[0]] = attainableAcrValues(pending.acr, acrValues);
  const session = { ...newSession(ctx, user), acr };
  const signedIn = { user, session };
  const progress = { state: "signed-in", sid: session.sid, before: "begun" } as const;
  const step = { pending, signedIn, progress, allowedBy: "answer" } as const;
  const decision = await decideStep(ctx, client, step);
  if (decision.step !== "respond" || decision.pending.responseTarget) return;
  await completionOf(decision.pending)?.allow(ctx, { client, signedIn, given: decision.given });
}
