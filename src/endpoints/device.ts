import { readForm, readQuery } from "../http/body.ts";
import { type HeaderList, redirectResponse } from "../http/response.ts";
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
import { findSession } from "../issuer/sessions/sessions.ts";
import { findFamiliarBrowser } from "../issuer/users/familiar_browsers.ts";
import type { DeviceRequest } from "../protocol/device_request.ts";
import { formatUserCode, readUserCode } from "../protocol/user_code.ts";
import { findRequestingClient } from "./interaction/decide_step.ts";
import { answerFor, decideWithAnswer } from "./interaction/decide_with_answer.ts";
import { completeRequest } from "./interaction/finish_request.ts";
import { interactionPath } from "./interaction/form.ts";
import { frameProps, pageResponse } from "./responses/page_response.ts";

/** The purpose of the form. */
const purpose = "device";

interface DeviceFormState {
  userCode?: string | undefined;
  failed?: boolean;
  status?: number;
  headers?: HeaderList;
}

/**
 * Shows the form for the user code of a device. A code that came in the link still has to be
 * confirmed (RFC 8628, section 3.3.1).
 */
export async function device(ctx: Context, request: Request): Promise<Response> {
  const enteredCode = readQuery(ctx.apply, request).get("user_code") ?? "";
  const done = await allowUnasked(ctx, request, enteredCode);
  if (done) return done;
  const { browser, headers } = await findOrCreateBrowser(ctx, request);
  const userCode = readUserCode(enteredCode);
  return await formResponse(ctx, request, browser, {
    userCode: userCode && formatUserCode(userCode),
    headers,
  });
}

/** Handles the user code, then continues as with any request: sign-in, consent. */
export async function deviceByPost(ctx: Context, request: Request): Promise<Response> {
  const form = await readForm(ctx.apply, request);
  const done = await allowUnasked(ctx, request, form.get("user_code") ?? "");
  if (done) return done;
  const browser = await checkFormToken(ctx, await findBrowser(ctx, request), purpose, form);
  const deviceRequest = await lookUpRequest(ctx, request, form.get("user_code") ?? "");
  if (!deviceRequest) {
    return await formResponse(ctx, request, browser, { failed: true, status: 422 });
  }
  chargeForStorage(ctx, request, deviceRequest);
  return redirectResponse(
    interactionPath(ctx, await startInteraction(ctx, deviceRequest, browser)),
  );
}

/** Allows a device at once if an answer in place of its user signs the user in. */
async function allowUnasked(
  ctx: Context,
  request: Request,
  enteredCode: string,
): Promise<Response | undefined> {
  const userCode = ctx.answerForUser && readUserCode(enteredCode);
  if (userCode === undefined) return undefined;
  const pending = await findDeviceRequest(ctx, userCode);
  const answer = pending && answerFor(ctx, pending, true);
  if (!pending || !answer?.signIn) return undefined;
  const client = await findRequestingClient(ctx, request, pending);
  const signedIn = await findSession(ctx, request);
  const input = { pending, signedIn, progress: { state: "begun" }, answer } as const;
  const decision = await decideWithAnswer(ctx, request, client, input);
  return decision.step === "respond" ? await completeRequest(ctx, request, decision) : undefined;
}

/**
 * User codes are short, so guesses are limited. Unknown and expired codes look the same (RFC 8628,
 * section 5.1).
 */
async function lookUpRequest(
  ctx: Context,
  request: Request,
  enteredCode: string,
): Promise<DeviceRequest | undefined> {
  const userCode = readUserCode(enteredCode);
  const guess: Guess = {
    name: "user codes",
    sender: ctx.addressOf(request),
    // A budget per user, not per browser: anyone can sign in with any number of browsers.
    ownBudget: async () => (await findFamiliarBrowser(ctx, request))?.subjects[0],
  };
  const deviceRequest = await ctx.guessLimits.userCodes.check(
    guess,
    async () => userCode === undefined ? undefined : await findDeviceRequest(ctx, userCode),
  );
  if (!deviceRequest) ctx.emit({ type: "user_code.refused" });
  return deviceRequest;
}

async function formResponse(
  ctx: Context,
  request: Request,
  browser: Browser,
  { userCode, failed = false, status, headers }: DeviceFormState,
): Promise<Response> {
  const page = ctx.settings.pages.device({
    ...frameProps(ctx, request),
    action: `${ctx.settings.base}${ctx.settings.paths.device}`,
    formToken: await formToken(browser, purpose),
    userCode,
    failed,
  });
  return pageResponse(page, status, headers);
}
