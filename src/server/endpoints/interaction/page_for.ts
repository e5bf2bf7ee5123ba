import { featuresOf, pagePath } from "../../issuer/active_features.ts";
import { findAllowedBefore } from "../../issuer/authorizations/consents.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { type Browser, formToken } from "../../issuer/sessions/browsers.ts";
import type { Client } from "../../model/client.ts";
import type { ConsentQuestionProps } from "../../pages/consent.tsx";
import type { Language } from "../../pages/languages/languages.ts";
import type { Page } from "../../pages/pages.ts";
import type { ClientLink } from "../../pages/parties.tsx";
import type { AccountForm } from "../../pages/select_account.tsx";
import { claimsBeyondScope } from "../../protocol/claim_rules.ts";
import { type UntrustedClientNotice, untrustedClientNotice } from "../../protocol/client_trust.ts";
import {
  allowsPartialConsent,
  offeredScopes,
  type PendingRequest,
} from "../../protocol/pending_request.ts";
import { describeAccess, type Describer } from "../responses/describe_access.ts";
import { describeUser, frameProps } from "../responses/page_response.ts";
import { type FailedAttempt, signInProps } from "../responses/sign_in_props.ts";
import type { Decision, SignedInDecision, SignInDecision } from "./decide_step.ts";
import { consentPath, formPurpose, interactionPath } from "./form.ts";

/**
 * Describes what a consent page asks for, only what is missing, and separately what the user
 * allowed before.
 */
async function consentQuestion(
  describer: Describer,
  { pending, client, signedIn: { user } }: SignedInDecision,
): Promise<ConsentQuestionProps> {
  const { ctx } = describer;
  const { settings } = ctx;
  const { scope } = pending;
  const before = pending.prompt.includes("consent")
    ? { scope: [], claims: [] }
    : await findAllowedBefore(ctx, user, client, pending);
  const missing = scope.filter((token) => !before.scope.includes(token));
  // What the user may refuse, one by one.
  const choices = allowsPartialConsent(settings, client, pending) ? offeredScopes(missing) : [];
  // The claims that the client's own rule opens do not depend on a scope that may be refused.
  const certain = scope.filter((token) => !choices.includes(token));
  const claims = [
    ...new Set([
      ...claimsBeyondScope(scope, pending.claims, settings, client),
      ...claimsBeyondScope(certain, undefined, settings, client),
    ]),
  ];
  const asked = describeAccess(
    describer,
    { ...pending, scope: missing },
    claims.filter((name) => !before.claims.includes(name)),
  );
  const { scopes, claims: known } = describeAccess(
    describer,
    { scope: scope.filter((token) => before.scope.includes(token)), resources: [] },
    claims.filter((name) => before.claims.includes(name)),
  );
  return { ...asked, choices, allowedBefore: { scopes, claims: known } };
}

/** The interaction that a page belongs to, and the browser that it is made for. */
export interface PageTarget {
  id: string;
  browser: Browser;
}

export async function pageFor(
  ctx: RequestContext,
  decision: Exclude<Decision, { step: "respond" }>,
  target: PageTarget,
): Promise<Page> {
  if (decision.step === "sign-in") return await signInPage(ctx, decision, target);
  const showPage = decision.step === "select-account" ? selectAccountPage : consentPage;
  return await showPage(ctx, decision, target);
}

/** Returns the sign-in page; after a failed attempt with what was sent. */
export async function signInPage(
  ctx: RequestContext,
  { pending, client }: Omit<SignInDecision, "step">,
  { id, browser }: PageTarget,
  attempt: FailedAttempt = {},
): Promise<Page> {
  const form = {
    action: interactionPath(ctx, { id, pending }, "sign-in"),
    formToken: await formToken(browser, formPurpose("sign-in", id)),
  };
  return ctx.settings.pages.signIn({
    ...await signInProps(ctx, form, attempt),
    clientName: client.name,
    untrustedClient: noticeOf(client, pending),
    username: (attempt.form ? attempt.form.get("username") : pending.loginHint) ?? "",
    canCancel: true,
  });
}

async function selectAccountPage(
  ctx: RequestContext,
  decision: SignedInDecision,
  target: PageTarget,
): Promise<Page> {
  return ctx.settings.pages.selectAccount({
    ...await frameProps(ctx),
    clientName: decision.client.name,
    untrustedClient: noticeOf(decision.client, decision.pending),
    account: await accountForm(ctx, decision, target),
  });
}

async function consentPage(
  ctx: RequestContext,
  decision: SignedInDecision,
  target: PageTarget,
): Promise<Page> {
  const { pending, client, signedIn } = decision;
  const { id, browser } = target;
  const frame = await frameProps(ctx);
  const polled = pending.responseTarget ? undefined : featuresOf(ctx).completionOf(pending);
  return ctx.settings.pages.consent({
    ...frame,
    clientName: client.name,
    action: await consentPath(ctx, id, pending),
    formToken: await formToken(browser, formPurpose("consent", id, signedIn.session.sid)),
    account: await accountForm(ctx, decision, target),
    accountPath: pagePath(ctx, "/account"),
    ...await consentQuestion({ ctx, language: frame.language }, decision),
    redirectUri: pending.responseTarget?.redirectUri,
    caution: await polled?.caution(frame.language),
    untrustedClient: noticeOf(client, pending),
    links: linksOf(client, frame.language),
  });
}

/** The notice names who receives the response: the redirect URI, or none for a device. */
function noticeOf(
  client: Client,
  { responseTarget }: PendingRequest,
): UntrustedClientNotice | undefined {
  return untrustedClientNotice(client, responseTarget ? [responseTarget.redirectUri] : []);
}

function linksOf(client: Client, { words: { clientLinks } }: Language): ClientLink[] {
  const links = [
    { name: clientLinks.website, href: client.clientUri },
    { name: clientLinks.privacyPolicy, href: client.policyUri },
    { name: clientLinks.terms, href: client.tosUri },
    { name: clientLinks.logo, href: client.logoUri },
  ];
  return links.flatMap(({ name, href }) => href === undefined ? [] : [{ name, href }]);
}

/** Returns the form by which a user continues with another account. */
async function accountForm(
  ctx: Context,
  { pending, signedIn }: SignedInDecision,
  { id, browser }: PageTarget,
): Promise<AccountForm> {
  return {
    user: describeUser(signedIn.user),
    action: interactionPath(ctx, { id, pending }, "account"),
    formToken: await formToken(browser, formPurpose("account", id, signedIn.session.sid)),
  };
}
