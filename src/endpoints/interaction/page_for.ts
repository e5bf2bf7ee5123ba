import type { Context } from "../../issuer/context.ts";
import { type Browser, formToken } from "../../issuer/sessions/browsers.ts";
import type { Client } from "../../model/client.ts";
import type { Page } from "../../pages/pages.ts";
import { claimsBeyondScope } from "../../protocol/claims_request.ts";
import { untrustedClientNotice } from "../../protocol/client_trust.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";
import { describeAccess } from "../responses/describe_access.ts";
import { frameProps } from "../responses/page_response.ts";
import type { Decision, SignedInDecision, SignInDecision } from "./decide_step.ts";
import { formPurpose } from "./form.ts";
import { interactionPath } from "./paths.ts";

/** What was typed before, where it did not convince. */
export interface SignInFailure {
  username: string;
}

/** The interaction that a page belongs to, and the browser that it is made for. */
export interface PageTarget {
  id: string;
  browser: Browser;
}

/** The page for whatever comes next. */
export async function pageFor(
  ctx: Context,
  decision: Exclude<Decision, { step: "respond" }>,
  target: PageTarget,
): Promise<Page> {
  if (decision.step === "sign-in") return await signInPage(ctx, decision, target);
  if (decision.step === "select-account") return await selectAccountPage(ctx, decision, target);
  return await consentPage(ctx, decision, target);
}

export async function signInPage(
  ctx: Context,
  { pending, client }: Omit<SignInDecision, "step">,
  { id, browser }: PageTarget,
  failed?: SignInFailure,
): Promise<Page> {
  return ctx.settings.pages.signIn({
    ...frameProps(ctx),
    clientName: client.name,
    untrustedClient: warningOf(client, pending),
    action: interactionPath(ctx, id, "sign-in"),
    formToken: await formToken(browser, formPurpose("sign-in", id)),
    username: failed?.username ?? pending.loginHint ?? "",
    failed: failed !== undefined,
    canCancel: true,
  });
}

async function selectAccountPage(
  ctx: Context,
  decision: SignedInDecision,
  target: PageTarget,
): Promise<Page> {
  return ctx.settings.pages.selectAccount({
    ...frameProps(ctx),
    clientName: decision.client.name,
    untrustedClient: warningOf(decision.client, decision.pending),
    account: await accountForm(ctx, decision, target),
  });
}

async function consentPage(
  ctx: Context,
  decision: SignedInDecision,
  target: PageTarget,
): Promise<Page> {
  const { pending, client, signedIn } = decision;
  const { id, browser } = target;
  return ctx.settings.pages.consent({
    ...frameProps(ctx),
    clientName: client.name,
    action: interactionPath(ctx, id, "consent"),
    formToken: await formToken(browser, formPurpose("consent", id, signedIn.session.sid)),
    account: await accountForm(ctx, decision, target),
    ...describeAccess(ctx, pending, claimsBeyondScope(pending.scope, pending.claims)),
    redirectUri: pending.responseTarget?.redirectUri,
    untrustedClient: warningOf(client, pending),
    links: linksOf(client),
  });
}

/** Who receives the answer: the redirect URI of the request, or a device. */
function warningOf(client: Client, { responseTarget }: PendingRequest) {
  return untrustedClientNotice(client, responseTarget ? [responseTarget.redirectUri] : []);
}

function linksOf(
  { clientUri, policyUri, tosUri, logoUri }: Client,
): Array<{ name: string; href: string }> {
  const links = { website: clientUri, "privacy policy": policyUri, terms: tosUri, logo: logoUri };
  return Object.entries(links).flatMap(([name, href]) =>
    href === undefined ? [] : [{ name, href }]
  );
}

/** The form by which a person goes on as somebody else. */
async function accountForm(
  ctx: Context,
  { signedIn }: SignedInDecision,
  { id, browser }: PageTarget,
) {
  return {
    userName: signedIn.user.name,
    action: interactionPath(ctx, id, "account"),
    formToken: await formToken(browser, formPurpose("account", id, signedIn.session.sid)),
  };
}
