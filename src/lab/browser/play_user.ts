import { listUsers } from "../../server/issuer/admin/directory_entries.ts";
import { withdrawConsents } from "../../server/issuer/authorizations/consents.ts";
import type { Context } from "../../server/issuer/context.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import { LabError, unknownName } from "../util/lab_error.ts";
import type { AuthorizationResult, HeadlessBrowser, UserActions } from "./headless_browser.ts";

/** Plays a user's part in one browser, from an authorization URL to the callback. */
export async function authorizeAs(
  ctx: Context,
  browser: HeadlessBrowser,
  url: string,
  actions: UserActions,
): Promise<AuthorizationResult> {
  const home = issuerUrl(ctx.settings.frontChannelUrl, "/");
  if (!URL.canParse(url, home)) throw new LabError(`'${url}' is not a URL.`);
  const { href, searchParams } = new URL(url, home);
  await checkActions(ctx, actions);
  if (actions.decision === "deny") await forgetConsents(ctx, searchParams.get("client_id"));
  return await browser.authorize(href, actions);
}

async function checkActions(
  ctx: Context,
  { user, decision = "allow" }: UserActions,
): Promise<void> {
  if (decision !== "allow" && decision !== "deny") {
    throw unknownName("decision", decision, ["allow", "deny"]);
  }
  const names = (await listUsers(ctx)).map(({ value }) => value.name);
  if (user !== undefined && !names.includes(user)) throw unknownName("user", user, names);
}

/** A remembered consent would skip the page on which the user is to deny. */
async function forgetConsents(ctx: Context, client: string | null): Promise<void> {
  await withdrawConsents(ctx, ({ clientId }) => clientId === client);
}
