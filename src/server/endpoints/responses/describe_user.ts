import type { User } from "../../model/user.ts";
import type { DescribedUser } from "../../pages/user_identity.tsx";

/** Describes a user by what they know themselves by: the name and the e-mail address. */
export function describeUser({ name: userName, claims }: User): DescribedUser {
  return { userName, name: shownText(claims.name), email: shownText(claims.email) };
}

function shownText(claim: unknown): string | undefined {
  return typeof claim === "string" && claim.trim() !== "" ? claim : undefined;
}
