import type { Browser } from "../issuer/browsers.ts";
import { formToken } from "../issuer/browsers.ts";
import type { Context } from "../issuer/context.ts";
import type { Page } from "../pages/pages.ts";
import type { Decision } from "./decide_step.ts";
import { frame } from "./show_page.ts";

/** Where a request waits for its person. */
export function interactionPath(ctx: Context, id: string): string {
  return `${ctx.config.base}/oauth2/interaction/${id}`;
}

/** What a form of an interaction is for. A form made for one account does nothing once another one is signed in. */
export function formPurpose(step: "sign-in" | "account" | "consent", id: string, sid = ""): string {
  return `${step} ${id} ${sid}`;
}

/** What was typed before, where it did not convince. */
export interface FailedSignIn {
  username: string;
}

/** The page for whatever comes next. */
export async function pageFor(
  ctx: Context,
  decision: Exclude<Decision, { step: "answer" }>,
  id: string,
  browser: Browser,
  failed?: FailedSignIn,
): Promise<Page> {
  const { pages } = ctx.config;
  const { client, asked } = decision;
  const shared = { ...frame(ctx), action: interactionPath(ctx, id), clientName: client.name };
  if (decision.step === "sign-in") {
    const token = await formToken(browser, formPurpose("sign-in", id));
    return pages.signIn({ ...shared, formToken: token, username: failed?.username ?? asked.loginHint ?? "", failed: failed !== undefined });
  }
  const { user, session } = decision.signedIn;
  const account = { userName: user.name, accountToken: await formToken(browser, formPurpose("account", id, session.sid)) };
  if (decision.step === "select-account") return pages.selectAccount({ ...shared, ...account });
  return pages.consent({
    ...shared,
    ...account,
    formToken: await formToken(browser, formPurpose("consent", id, session.sid)),
    scopes: asked.scope.map((name) => ({ name, meaning: ctx.config.scopes[name] ?? "" })),
    resources: asked.resources,
    redirectUri: asked.replyTo.redirectUri,
  });
}
