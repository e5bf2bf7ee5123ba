import { withdrawConsents } from "../../server/issuer/authorizations/consents.ts";
import type { Context } from "../../server/issuer/context.ts";
import { listUsers } from "../../server/issuer/directory/directory_entries.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import { findPresentedClient } from "../recording/presented_values.ts";
import { LabError, unknownName } from "../util/lab_error.ts";
import { checkDecision, readSignInDetails } from "../util/user_choices.ts";
import type { AuthorizationResult } from "./authorization_result.ts";
import type { HeadlessBrowser } from "./headless_browser.ts";
import { actionTime, type UserActions } from "./user_actions.ts";

interface PlayedLab {
  context: Context;
  /** Whether the sign-in page makes any other user known. */
  takesAnyUser: boolean;
  /** When the test asked for it: it may have moved the clock since. */
  now: number;
}

/** Plays a user's part in one browser, from an authorization URL to the callback. */
export async function authorizeAs(
  lab: PlayedLab,
  browser: HeadlessBrowser,
  url: string,
  actions: UserActions,
): Promise<AuthorizationResult> {
  const { context: ctx } = lab;
  const actsAt = actionTime(lab.now, actions);
  const { href, searchParams } = pageUrl(ctx, url);
  await checkActions(lab, actions);
  const { decision, grant } = actions;
  if (decision === "deny" || grant) {
    const clientId = await clientOf(ctx, searchParams);
    // A remembered consent would skip the page on which the user is to decide.
    if (clientId !== undefined) await withdrawConsents(ctx, { clientId });
  }
  return await browser.authorize(href, actions, actsAt);
}

/** Returns the URL of a page, which a test may give without its host. */
export function pageUrl({ settings }: Context, url: string): URL {
  const home = issuerUrl(settings.frontChannelUrl, "/");
  if (!URL.canParse(url, home)) throw new LabError(`'${url}' is not a URL.`);
  return new URL(url, home);
}

async function checkActions(
  { context: ctx, takesAnyUser }: PlayedLab,
  { user, decision, grant, ...details }: UserActions,
): Promise<void> {
  const { settings: { acrValues }, now } = ctx;
  readSignInDetails(details, { acrValues, now });
  checkDecision(ctx, { decision, grant });
  if (takesAnyUser) return;
  const names = (await listUsers(ctx)).map(({ value }) => value.name);
  if (user !== undefined && !names.includes(user)) throw unknownName("user", user, names);
}

/** Returns the client of an authorization URL, or of the URL that a device shows. */
async function clientOf(ctx: Context, parameters: URLSearchParams): Promise<string | undefined> {
  return await findPresentedClient(ctx, parameters) ?? parameters.get("client_id") ?? undefined;
}
