import { featuresOf } from "../../issuer/active_features.ts";
import type { RequestContext } from "../../issuer/context.ts";
import type { SignInFailure } from "../../issuer/users/sign_in_factor.ts";
import type { GuardedForm } from "../../pages/frame.tsx";
import type { SignInProps } from "../../pages/sign_in.tsx";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import { frameProps } from "./page_response.ts";

/** A sign-in that failed; none before the first one. */
export interface FailedAttempt {
  form?: FormParameters;
  failure?: SignInFailure;
}

/** Returns what each sign-in page has, for an application or for the account page. */
export async function signInProps(
  ctx: RequestContext,
  form: GuardedForm,
  { form: sent, failure }: FailedAttempt,
): Promise<Omit<SignInProps, "clientName" | "username">> {
  const { passkeys, signInName } = featuresOf(ctx);
  const frame = await frameProps(ctx);
  const { language } = frame;
  const children = await passkeys?.signInForm(ctx, { ...form, failure, language });
  return {
    ...frame,
    ...form,
    byEmail: signInName !== undefined,
    failed: failure === "password",
    sent,
    ...children !== undefined && { children, hasPasskeys: true },
  };
}
