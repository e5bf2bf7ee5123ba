import { minPasswordLength } from "../../config/passwords.ts";
import type { User } from "../../model/user.ts";

/** Why a new password is refused. */
export type NewPasswordProblem = "tooShort" | "isName" | "unchanged" | "notRepeated";

/** What a user typed to change the password. */
export interface TypedPasswords {
  current: string;
  next: string;
  /** The new password once more, because it cannot be seen. */
  repeated: string;
}

/** Returns why a new password is refused, or undefined (NIST SP 800-63B, section 3.1.1.2). */
export function newPasswordProblem(
  { name, claims: { email } }: Pick<User, "name" | "claims">,
  { current, next, repeated }: TypedPasswords,
): NewPasswordProblem | undefined {
  if ([...next].length < minPasswordLength) return "tooShort";
  const isName = [name, email].some((known) => isSameText(next, known));
  if (isName) return "isName";
  if (next === current) return "unchanged";
  return next === repeated ? undefined : "notRepeated";
}

function isSameText(text: string, other: unknown): boolean {
  return typeof other === "string" && text.toLowerCase() === other.toLowerCase();
}
