import type { Settings } from "../../../server/config/settings.ts";
import {
  offeringProblem,
  passkeySettings,
  rpIdOf,
} from "../../../server/features/passkeys/config.ts";
import { eachOwn } from "../../../server/features/passkeys/passkeys.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { needsPasskey } from "../../../server/issuer/users/sign_in_factor.ts";
import { counted } from "../../../server/util/time/duration.ts";

/** Describes who signs in by passkey, and why nobody can, if so. */
export function describePasskeys(settings: Settings): [name: string, text: string] {
  const { passkeys } = passkeySettings(settings);
  const { passkeyDemand = [] } = settings;
  const demand = passkeyDemand === "all" ? "all users" : passkeyDemand.join(", ");
  const required = demand === "" ? "offered" : `required of ${demand}`;
  const rpId = rpIdOf(settings);
  if (rpId !== undefined) return ["Passkeys", `${required}, for ${rpId}`];
  return ["Passkeys", passkeys === "off" ? "off" : `off: ${offeringProblem(settings)}`];
}

/** Finds the passkeys that work no longer, and the users who cannot sign in because of that. */
export async function findPasskeyProblems(ctx: Context): Promise<string[]> {
  const { settings, records } = ctx;
  const rpId = rpIdOf(settings);
  const usable = new Set<string>();
  let unusable = 0;
  for await (const [handle, { passkeys }] of eachOwn(ctx)) {
    const own = passkeys.filter((each) => each.rpId === rpId);
    if (own.length > 0) usable.add(handle);
    unusable += passkeys.length - own.length;
  }
  let locked = 0;
  for await (const [, user] of records.users.each()) {
    if (needsPasskey(settings, user) && !usable.has(user.instance ?? "")) locked++;
  }
  const host = rpId === undefined ? "there are none" : `they are for ${rpId} now`;
  return [
    ...unusable > 0 ? [`${counted(unusable, "passkey")} cannot be used, because ${host}.`] : [],
    ...locked > 0
      ? [
        `${counted(locked, "user")} must sign in by passkey, and has none that works here. For a ` +
        "link: hallpass user passkeys NAME --reset",
      ]
      : [],
  ];
}
