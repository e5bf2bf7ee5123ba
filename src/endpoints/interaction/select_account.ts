import { redirect } from "../../http/answer.ts";
import type { Context } from "../../issuer/context.ts";
import { continueInteraction } from "../../issuer/requests/interactions.ts";
import { takeForm } from "./form.ts";
import { interactionPath } from "./paths.ts";

/** Takes the answer to "which account?": the one that is signed in, or another one. */
export async function selectAccount(ctx: Context, request: Request, id: string): Promise<Response> {
  const { waiting, form, signedIn } = await takeForm(ctx, request, id, "account");
  const isThis = signedIn !== undefined && form.get("account") === "this";
  await continueInteraction(
    ctx,
    isThis ? { ...waiting, chosen: signedIn.session.sid } : { ...waiting, chosen: undefined, mustSignIn: true },
  );
  return redirect(interactionPath(ctx, id));
}
