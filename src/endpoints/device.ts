import { readForm, readQuery } from "../http/body.ts";
import { type HeaderList, redirect } from "../http/response.ts";
import type { Context } from "../issuer/context.ts";
import type { Guess } from "../issuer/limits/guess_limits.ts";
import { chargeForStorage } from "../issuer/limits/stored_bytes.ts";
import { findDeviceRequest } from "../issuer/requests/devices.ts";
import { startInteraction } from "../issuer/requests/interactions.ts";
import {
  type Browser,
  checkFormToken,
  findBrowser,
  findOrCreateBrowser,
  formToken,
} from "../issuer/sessions/browsers.ts";
import { findFamiliarBrowser } from "../issuer/users/familiar_browsers.ts";
import type { DeviceRequest } from "../protocol/device_request.ts";
import { formatUserCode, readUserCode } from "../protocol/user_code.ts";
import { interactionPath } from "./interaction/paths.ts";
import { frameProps, pageResponse } from "./responses/page_response.ts";

/** What the form of this page is for. */
const purpose = "device";

/** Here a person types the code that a device shows. One that came in the link has still to be confirmed (RFC 8628, section 3.3.1). */
export async function device(ctx: Context, request: Request): Promise<Response> {
  const { browser, headers } = await findOrCreateBrowser(ctx, request);
  const given = readUserCode(readQuery(request).get("user_code") ?? "");
  return await showForm(ctx, browser, { userCode: given && formatUserCode(given), headers });
}

/** Takes the code, then goes on as with any request: sign-in, consent. */
export async function deviceByPost(ctx: Context, request: Request): Promise<Response> {
  const browser = await findBrowser(ctx, request);
  const form = await readForm(request);
  await checkFormToken(browser, purpose, form);
  const deviceRequest = await lookUp(ctx, request, form.get("user_code") ?? "");
  if (!deviceRequest) return await showForm(ctx, browser!, { failed: true, status: 422 });
  chargeForStorage(ctx, request, deviceRequest);
  const { id } = await startInteraction(ctx, deviceRequest, browser!);
  return redirect(interactionPath(ctx, id));
}

/** Codes are short, so guessing is limited; unknown and expired ones look the same (RFC 8628, section 5.1). */
async function lookUp(
  ctx: Context,
  request: Request,
  typed: string,
): Promise<DeviceRequest | undefined> {
  const userCode = readUserCode(typed);
  const guess: Guess = {
    name: "user codes",
    sender: ctx.addressOf(request),
    // A budget per person, not per browser: anyone can sign in with as many browsers as they like.
    ownBudget: async () => (await findFamiliarBrowser(ctx, request))?.subjects[0],
  };
  const deviceRequest = await ctx.guessLimits.userCodes.check(
    guess,
    async () => userCode === undefined ? undefined : await findDeviceRequest(ctx, userCode),
  );
  if (!deviceRequest) ctx.emit({ type: "user_code.refused" });
  return deviceRequest;
}

interface DeviceFormState {
  userCode?: string;
  failed?: boolean;
  status?: number;
  headers?: HeaderList;
}

async function showForm(
  ctx: Context,
  browser: Browser,
  { userCode, failed = false, status, headers }: DeviceFormState,
): Promise<Response> {
  const page = ctx.settings.pages.device({
    ...frameProps(ctx),
    action: `${ctx.settings.base}/device`,
    formToken: await formToken(browser, purpose),
    userCode,
    failed,
  });
  return pageResponse(page, status, headers);
}
