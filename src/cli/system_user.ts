import { userInfo } from "node:os";

/** Returns the operating system's name of the user who runs the program, for the log of changes. */
export function systemUser(): string {
  try {
    const { username, uid } = userInfo();
    // Bun knows no name without the variable USER, which containers lack.
    return username === "unknown" ? `uid ${uid}` : username;
  } catch {
    // The user may have no entry, and Deno may not be permitted to look.
    return "unknown";
  }
}
