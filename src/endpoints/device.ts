import type { HeaderList } from "../http/answer.ts";
import { redirect } from "../http/answer.ts";
import { readForm, readQuery } from "../http/body.ts";
import type { DeviceRequest } from "../protocol/device_request.ts";
import { formatUserCode, readUserCode } from "../protocol/user_code.ts";
import type { Browser } from "../issuer/sessions/browsers.ts";
import { checkFormToken, formToken, knownBrowser, meetBrowser } from "../issuer/sessions/browsers.ts";
import type { Context } from "../issuer/context.ts";
import type { Guess } from "../issuer/limits/guess_limits.ts";
import { findFamiliarBrowser } from "../issuer/people/familiar_browsers.ts";
import { findDeviceRequest } from "../issuer/requests/devices.ts";
import { beginInteraction } from "../issuer/requests/interactions.ts";
import { chargeForStorage } from "../issuer/limits/stored_bytes.ts";
import { interactionPath } from "./interaction/paths.ts";
import { frame, showPage } from "./answers/show_page.ts";

/** What the form of this page is for. */
const purpose = "device";

/** Here a person types the code that a device shows. One that came in the link has still to be confirmed (RFC 8628, section 3.3.1). */
export async function device(ctx: Context, request: Request): Promise<Response> {
  const { browser, headers } = await meetBrowser(ctx, request);
  const given = readUserCode(readQuery(request).get("user_code") ?? "");
  return await showForm(ctx, browser, { userCode: given && formatUserCode(given), headers });
}

/** Takes the code, then goes on as with any request: sign-in, consent. */
export async function deviceByPost(ctx: Context, request: Request): Promise<Response> {
  const browser = await knownBrowser(ctx, request);
  const form = await readForm(request);
  await checkFormToken(browser, purpose, form);
  const asked = await lookUp(ctx, request, form.get("user_code") ?? "");
  if (!asked) return await showForm(ctx, browser!, { failed: true, status: 422 });
  chargeForStorage(ctx, request, asked);
  const { id } = await beginInteraction(ctx, asked, browser!);
  return redirect(interactionPath(ctx, id));
}

/** Codes are short, so guessing is limited; unknown and expired ones look the same (RFC 8628, section 5.1). */
async function lookUp(ctx: Context, request: Request, typed: string): Promise<DeviceRequest | undefined> {
  const userCode = readUserCode(typed);
  const guess: Guess = {
    name: "user codes",
    sender: ctx.senderOf(request),
    // A budget per person, not per browser: anyone can sign in with as many browsers as they like.
    ownBudget: async () => (await findFamiliarBrowser(ctx, request))?.subjects[0],
  };
  const asked = await ctx.guessLimits.userCodes.check(
    guess,
    async () => userCode === undefined ? undefined : await findDeviceRequest(ctx, userCode),
  );
  if (!asked) ctx.emit({ type: "user_code.refused" });
  return asked;
}

interface Shown {
  userCode?: string;
  failed?: boolean;
  status?: number;
  headers?: HeaderList;
}

async function showForm(ctx: Context, browser: Browser, { userCode, failed = false, status, headers }: Shown): Promise<Response> {
  const page = ctx.settings.pages.device({
    ...frame(ctx),
    action: `${ctx.settings.base}/device`,
    formToken: await formToken(browser, purpose),
    userCode,
    failed,
  });
  return showPage(page, status, headers);
}
