/** @jsxImportSource preact */
import type { VNode } from "preact";
import script from "../../../../static/passkeys.js" with { type: "text" };
import { staticFileResponse } from "../../endpoints/static_files.ts";
import { jsonResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import type { PasskeySignIn } from "../../issuer/active_features.ts";
import type { RequestContext } from "../../issuer/context.ts";
import { findOrCreateBrowser } from "../../issuer/sessions/browsers.ts";
import type { Content, GuardedForm } from "../../pages/frame.tsx";
import { withTexts } from "../../pages/languages/languages.ts";
import { toStaticFiles } from "../../pages/static_files.ts";
import { createChallenge } from "./challenge.ts";
import { passkeyTexts, rpIdOf } from "./config.ts";
import { hasPasskeys } from "./passkeys.ts";

const files = toStaticFiles({ "passkeys.js": script });

/** What the script of a page needs to begin a ceremony. */
export interface ScriptProps {
  script: string;
  /** Where it gets fresh challenges. */
  challenges: string;
  rpId: string;
}

export function scriptProps({ settings }: RequestContext): ScriptProps {
  const { base } = settings;
  const path = files.get("passkeys.js")?.path ?? "";
  return {
    script: `${base}/passkeys/script/${path}`,
    challenges: `${base}/passkeys/challenge`,
    rpId: rpIdOf(settings) ?? "",
  };
}

/** Returns a challenge: each ceremony of a page gets its own, however long the page was open. */
export async function freshChallenge(ctx: RequestContext): Promise<ResponseData> {
  const { browser, headers } = await findOrCreateBrowser(ctx);
  return jsonResponse({ challenge: await createChallenge(ctx, browser) }, 200, headers);
}

export function passkeyScript(_: RequestContext, file: string): ResponseData {
  return staticFileResponse(file, [...files.values()]);
}

/**
 * Returns the button of the sign-in page, if any user has a passkey or an attempt failed. Without
 * scripts it stays hidden.
 */
export async function signInForm(
  ctx: RequestContext,
  { language, failure, action, formToken }: Parameters<PasskeySignIn["signInForm"]>[1],
): Promise<Content | undefined> {
  const isAboutPasskeys = failure === "passkey" || failure === "needs-passkey";
  if (!isAboutPasskeys && !await hasPasskeys(ctx)) return undefined;
  const { words: { passkeys } } = await withTexts(language, passkeyTexts);
  return (
    <CeremonyForm
      {...scriptProps(ctx)}
      {...{ id: "passkey-sign-in", action, formToken, button: passkeys.signIn }}
    >
      {isAboutPasskeys && (
        <p class="alert" id="passkey-failed" role="alert">
          {failure === "passkey" ? passkeys.failed : passkeys.needed}
        </p>
      )}
    </CeremonyForm>
  );
}

/**
 * A form that the script completes with what a browser returns. With `creation`, which is what the
 * browser needs besides a challenge, it makes a passkey. Without scripts the button stays hidden.
 */
export function CeremonyForm(
  { id, action, formToken, button, creation, challenges, rpId, script, children }:
    & GuardedForm
    & ScriptProps
    & { id: string; button: string; creation?: object; children?: Content },
): VNode {
  return (
    <form
      id={id}
      method="post"
      action={action}
      data-passkey={creation ? "create" : "get"}
      data-challenges={challenges}
      data-rp-id={rpId}
      data-creation={creation && JSON.stringify(creation)}
    >
      <input type="hidden" name="form_token" value={formToken} />
      <input type="hidden" name="passkey" value="" />
      {children}
      <button id={`${id}-button`} type="submit" hidden>{button}</button>
      <script src={script} data-live defer />
    </form>
  );
}
