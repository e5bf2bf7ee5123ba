import type { Browser } from "../../tests/support/browser.ts";
import { userPassword } from "../../tests/support/every_flow.ts";
import type { FlowKit } from "../../tests/support/flow_kit.ts";
import { present } from "../../tests/support/present.ts";
import { medianTime } from "../trials/medians.ts";

/** How long an honest user waits, in milliseconds: medians. */
export interface Waits {
  /** From the authorization request to the tokens and the user's claims, with a session. */
  flow: number;
  /** The same, with a password. */
  signIn: number;
}

/**
 * Lets a user with a signed-in browser go through some flows. Throws if one of them is refused.
 */
export async function measureWaits(
  kit: FlowKit,
  signedIn: Browser,
  { flows, signIns }: { flows: number; signIns: number },
): Promise<Waits> {
  // The first one may sign in.
  await completeFlow(kit, signedIn);
  return {
    flow: await medianTime(() => completeFlow(kit, signedIn), (count) => count >= flows),
    signIn: await medianTime(() => completeFlow(kit, kit.browser()), (count) => count >= signIns),
  };
}

async function completeFlow(kit: FlowKit, browser: Browser): Promise<void> {
  const callback = await kit.authorize({}, { password: userPassword }, browser);
  const { status, text, body } = await kit.redeem(present(callback.get("code")));
  if (status !== 200) throw new Error(`An honest user gets no tokens: ${status} ${text}`);
  const headers = { Authorization: `Bearer ${body.access_token}` };
  const claims = await kit.get("/oauth2/userinfo", headers);
  await claims.arrayBuffer();
  if (claims.status !== 200) throw new Error(`An honest user gets no claims: ${claims.status}`);
}
