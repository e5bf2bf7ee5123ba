import { readUserAgent } from "../../http/user_agent.ts";
import type { RequestContext } from "../../issuer/context.ts";
import type { Browser } from "../../issuer/sessions/browsers.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import { readCeremonyResponse, verifyRegistration } from "./ceremony.ts";
import { useChallenge } from "./challenge.ts";
import { rpIdOf } from "./config.ts";
import { passkeyAlgorithms } from "./passkey_keys.ts";
import type { Owner, Passkey } from "./passkeys.ts";

/** Returns what a browser needs to make a passkey, besides a challenge. */
export function creationOf(
  { settings }: RequestContext,
  serverName: string,
  { user: { name }, handle }: Owner,
  excluded: readonly Passkey[],
): object {
  return {
    rp: { id: rpIdOf(settings), name: serverName },
    user: { id: handle, name, displayName: name },
    pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: "public-key", alg })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    attestation: "none",
    excludeCredentials: excluded.map(({ id }) => ({ id })),
  };
}

/** Reads the passkey that a form adds, and uses its challenge; undefined if anything is wrong. */
export async function readNewPasskey(
  ctx: RequestContext,
  browser: Browser,
  form: FormParameters,
): Promise<Passkey | undefined> {
  const response = readCeremonyResponse(form.get("passkey") ?? "");
  const rpId = rpIdOf(ctx.settings);
  if (!response || rpId === undefined) return undefined;
  const { origin } = new URL(ctx.settings.frontChannelUrl);
  const verified = await verifyRegistration(response, { origin, rpId });
  if (verified.problem !== undefined) return undefined;
  if (!await useChallenge(ctx, browser, response.challenge)) return undefined;
  const userAgent = readUserAgent(ctx.request.headers);
  const name = [userAgent.browser, userAgent.system].filter(Boolean).join(" · ") || "Passkey";
  const key = await sha256(response.id);
  return { ...verified.passkey, key, name, createdAt: ctx.now(), userAgent };
}
