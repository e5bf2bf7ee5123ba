import type { Settings } from "../../config/settings.ts";
import { groupsOf, type User } from "../../model/user.ts";
import { phishingResistant } from "../../protocol/acr.ts";

/** The methods of a sign-in by passkey (EAP ACR Values 1.0, section 2; RFC 8176, section 2). */
export const passkeyMethods: readonly string[] = ["pop", "user", "mfa"];

/** What a user proved at a sign-in, besides a password. */
export interface ProvenFactor {
  /** That they have a passkey; without it, the sign-in was by password. */
  factor?: "passkey" | undefined;
}

/** Why nobody is signed in; `needs-passkey` only after the right password. */
export type SignInFailure = "password" | "passkey" | "needs-passkey";

/** A successful sign-in: the user, how strong it was, and the methods it used. */
export interface Authentication extends ProvenFactor {
  user: User;
  acr: string | undefined;
  amr: string[] | undefined;
  /** In seconds; without it, the user signs in now. */
  authTime?: number | undefined;
}

/**
 * Whether a user must sign in by passkey. It is asked at every door: where users sign in, where a
 * session is enough, and where a client refreshes what a user allowed it.
 */
export function needsPasskey(
  { passkeyDemand = [] }: Pick<Settings, "passkeyDemand">,
  user: Pick<User, "claims" | "passkeyOnly">,
): boolean {
  if (user.passkeyOnly || passkeyDemand === "all") return true;
  return groupsOf(user).some((group) => passkeyDemand.includes(group));
}

/** Whether a sign-in was by what its user must have. */
export function isSufficientFor(
  { settings }: { settings: Pick<Settings, "passkeyDemand"> },
  user: Pick<User, "claims" | "passkeyOnly">,
  { factor }: ProvenFactor,
): boolean {
  return factor === "passkey" || !needsPasskey(settings, user);
}

/** Returns the `acr` of a sign-in by passkey. */
export function acrOfPasskey(supported: readonly string[]): string | undefined {
  return supported.includes(phishingResistant) ? phishingResistant : supported[0];
}
