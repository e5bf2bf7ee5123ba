import { findRequestingClient } from "../../endpoints/interaction/decide_step.ts";
import { answerFor, decideWithAnswer } from "../../endpoints/interaction/decide_with_answer.ts";
import { completeRequest } from "../../endpoints/interaction/finish_request.ts";
import { interactionPath } from "../../endpoints/interaction/form.ts";
import { framePropsWith, pageResponse } from "../../endpoints/responses/page_response.ts";
import { readForm, readQuery } from "../../http/incoming_request.ts";
import { redirectResponse } from "../../http/response.ts";
import type { HeaderList, ResponseData } from "../../http/response_data.ts";
import type { RequestContext } from "../../issuer/context.ts";
import { chargeForStorage } from "../../issuer/limits/budget.ts";
import type { Guess } from "../../issuer/limits/guess_limits.ts";
import { startInteraction } from "../../issuer/requests/interactions.ts";
import {
  type Browser,
  checkFormToken,
  findBrowser,
  findOrCreateBrowser,
  formToken,
} from "../../issuer/sessions/browsers.ts";
import { findSufficientSession } from "../../issuer/sessions/sessions.ts";
import { findFamiliarBrowser } from "../../issuer/users/familiar_browsers.ts";
import type { Client } from "../../model/client.ts";
import type { ConsentCaution } from "../../pages/consent.tsx";
import { type Language, type TextLoaders, withTexts } from "../../pages/languages/languages.ts";
import { findDeviceRequest } from "./device_decisions.ts";
import type { DeviceFlowWords } from "./languages/en.ts";
import { deviceParts } from "./parts.ts";
import { formatUserCode, readUserCode } from "./user_code.ts";

const purpose = "device";

export const deviceTexts: TextLoaders<DeviceFlowWords> = {
  en: async () => (await import("./languages/en.ts")).en,
  de: async () => (await import("./languages/de.ts")).de,
  es: async () => (await import("./languages/es.ts")).es,
  ar: async () => (await import("./languages/ar.ts")).ar,
};

/**
 * Shows the form for the user code of a device. A code that came in the link still has to be
 * confirmed (RFC 8628, section 3.3.1).
 */
export async function showUserCodeForm(ctx: RequestContext): Promise<ResponseData> {
  const enteredCode = readQuery(ctx).get("user_code") ?? "";
  const done = await allowUnasked(ctx, enteredCode);
  if (done) return done;
  const { browser, headers } = await findOrCreateBrowser(ctx);
  const userCode = readUserCode(enteredCode);
  return await formResponse(ctx, browser, {
    userCode: userCode && formatUserCode(userCode),
    headers,
  });
}

/** Handles the user code, then continues as with any request: sign-in, consent. */
export async function handleUserCode(ctx: RequestContext): Promise<ResponseData> {
  const form = await readForm(ctx);
  const done = await allowUnasked(ctx, form.get("user_code") ?? "");
  if (done) return done;
  const browser = await checkFormToken(ctx, await findBrowser(ctx), purpose, form);
  const userCode = readUserCode(form.get("user_code") ?? "");
  const guess: Guess = {
    name: "user codes",
    sender: ctx.sender,
    // A budget per user, not per browser: anyone can sign in with any number of browsers.
    ownBudget: async () => (await findFamiliarBrowser(ctx))?.subjects[0],
  };
  // User codes are short, so guesses are limited. Unknown and expired codes look the same
  // (RFC 8628, section 5.1).
  const deviceRequest = await deviceParts(ctx).guessLimits.check(
    guess,
    async () => userCode === undefined ? undefined : await findDeviceRequest(ctx, userCode),
  );
  if (!deviceRequest) {
    ctx.emit({ type: "user_code.refused" });
    return await formResponse(ctx, browser, { failed: true, status: 422 });
  }
  chargeForStorage(ctx, deviceRequest);
  return redirectResponse(
    interactionPath(ctx, await startInteraction(ctx, deviceRequest, browser)),
  );
}

/** Allows a device at once if an answer for its user signs the user in. */
async function allowUnasked(
  ctx: RequestContext,
  enteredCode: string,
): Promise<ResponseData | undefined> {
  const userCode = ctx.hooks.unasked && readUserCode(enteredCode);
  if (userCode === undefined) return undefined;
  const pending = await findDeviceRequest(ctx, userCode);
  const answer = pending && answerFor(ctx, pending, true);
  if (!pending || !answer?.signIn) return undefined;
  const client = await findRequestingClient(ctx, pending);
  const signedIn = await findSufficientSession(ctx);
  const input = { pending, signedIn, progress: { state: "begun" }, answer } as const;
  const decision = await decideWithAnswer(ctx, client, input);
  return decision.step === "respond" ? await completeRequest(ctx, decision) : undefined;
}

async function formResponse(
  ctx: RequestContext,
  browser: Browser,
  { userCode, failed = false, status, headers }: {
    userCode?: string | undefined;
    failed?: boolean;
    status?: number;
    headers?: HeaderList;
  },
): Promise<ResponseData> {
  const { pages, paths } = deviceParts(ctx);
  const page = pages.device({
    ...await framePropsWith(ctx, deviceTexts),
    action: `${ctx.settings.base}${paths.device}`,
    formToken: await formToken(browser, purpose),
    userCode,
    failed,
  });
  return await pageResponse(page, status, headers);
}

/** Warns of requests of others: a user may have got the code from someone else. */
export async function deviceCaution(language: Language): Promise<ConsentCaution> {
  const { words } = await withTexts(language, deviceTexts);
  return { id: "device-warning", text: words.deviceConsent.caution };
}

/** Sends the user back to the device. */
export async function deviceDoneResponse(
  ctx: RequestContext,
  { name: clientName }: Client,
  allowed: boolean,
): Promise<ResponseData> {
  const props = { ...await framePropsWith(ctx, deviceTexts), clientName, allowed };
  return await pageResponse(deviceParts(ctx).pages.deviceDone(props));
}
