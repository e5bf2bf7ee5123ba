import { userInfo } from "node:os";
import type { Environment } from "../terminal/terminal.ts";

/**
 * Returns who runs the program, for the log of changes: the operating system's name of the user,
 * and of the person who became that user by `sudo`. With access to the store, neither is a proof.
 */
export function systemUser({ SUDO_USER: person }: Environment): string {
  const account = accountName();
  return person && person !== account ? `${person} as ${account}` : account;
}

function accountName(): string {
  try {
    const { username, uid } = userInfo();
    // Bun knows no name without the variable USER, which containers lack.
    return username === "unknown" ? `uid ${uid}` : username;
  } catch {
    // The user may have no entry, and Deno may not be permitted to look.
    return "unknown";
  }
}
