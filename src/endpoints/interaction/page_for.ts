import { claimsBeyond } from "../../protocol/claims_request.ts";
import type { Client } from "../../protocol/client.ts";
import type { Asked } from "../../protocol/asked.ts";
import { noticeOf } from "../../protocol/client_trust.ts";
import type { Browser } from "../../issuer/sessions/browsers.ts";
import { formToken } from "../../issuer/sessions/browsers.ts";
import type { Context } from "../../issuer/context.ts";
import type { Page } from "../../pages/pages.ts";
import { describeAccess } from "../answers/describe_access.ts";
import { frame } from "../answers/show_page.ts";
import type { Decision, PersonDecision, SignInDecision } from "./decide_step.ts";
import { formPurpose } from "./form.ts";
import { interactionPath } from "./paths.ts";

/** What was typed before, where it did not convince. */
export interface FailedSignIn {
  username: string;
}

/** The interaction that a page belongs to, and the browser that it is made for. */
export interface ShownIn {
  id: string;
  browser: Browser;
}

/** The page for whatever comes next. */
export async function pageFor(ctx: Context, decision: Exclude<Decision, { step: "answer" }>, shown: ShownIn): Promise<Page> {
  if (decision.step === "sign-in") return await signInPage(ctx, decision, shown);
  if (decision.step === "select-account") return await selectAccountPage(ctx, decision, shown);
  return await consentPage(ctx, decision, shown);
}

export async function signInPage(
  ctx: Context,
  { asked, client }: Omit<SignInDecision, "step">,
  { id, browser }: ShownIn,
  failed?: FailedSignIn,
): Promise<Page> {
  return ctx.settings.pages.signIn({
    ...frame(ctx),
    clientName: client.name,
    untrustedClient: warningOf(client, asked),
    action: interactionPath(ctx, id, "sign-in"),
    formToken: await formToken(browser, formPurpose("sign-in", id)),
    username: failed?.username ?? asked.loginHint ?? "",
    failed: failed !== undefined,
    canCancel: true,
  });
}

async function selectAccountPage(ctx: Context, decision: PersonDecision, shown: ShownIn): Promise<Page> {
  return ctx.settings.pages.selectAccount({
    ...frame(ctx),
    clientName: decision.client.name,
    untrustedClient: warningOf(decision.client, decision.asked),
    account: await accountForm(ctx, decision, shown),
  });
}

async function consentPage(ctx: Context, decision: PersonDecision, shown: ShownIn): Promise<Page> {
  const { asked, client, signedIn } = decision;
  const { id, browser } = shown;
  return ctx.settings.pages.consent({
    ...frame(ctx),
    clientName: client.name,
    action: interactionPath(ctx, id, "consent"),
    formToken: await formToken(browser, formPurpose("consent", id, signedIn.session.sid)),
    account: await accountForm(ctx, decision, shown),
    ...describeAccess(ctx, asked, claimsBeyond(asked.scope, asked.claims)),
    redirectUri: asked.replyTo?.redirectUri,
    untrustedClient: warningOf(client, asked),
    links: linksOf(client),
  });
}

/** Who receives the answer: the redirect URI of the request, or a device. */
function warningOf(client: Client, { replyTo }: Asked) {
  return noticeOf(client, replyTo ? [replyTo.redirectUri] : []);
}

function linksOf({ clientUri, policyUri, tosUri, logoUri }: Client): Array<{ name: string; href: string }> {
  const links = { website: clientUri, "privacy policy": policyUri, terms: tosUri, logo: logoUri };
  return Object.entries(links).flatMap(([name, href]) => href === undefined ? [] : [{ name, href }]);
}

/** The form by which a person goes on as somebody else. */
async function accountForm(ctx: Context, { signedIn }: PersonDecision, { id, browser }: ShownIn) {
  return {
    userName: signedIn.user.name,
    action: interactionPath(ctx, id, "account"),
    formToken: await formToken(browser, formPurpose("account", id, signedIn.session.sid)),
  };
}
