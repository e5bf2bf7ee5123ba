import { ConfigError } from "../../server/config/problems.ts";
import { messagesOf } from "../../server/util/text/error_message.ts";
import type { ServerConfig } from "./setting_reader.ts";

/**
 * Returns what a server would refuse of its settings. An operator whose configuration is refused
 * anyway learns of all problems at once.
 */
export async function findServerProblems(server: ServerConfig): Promise<readonly string[]> {
  const { createFullServer } = await import("../../server/features.ts");
  try {
    createFullServer({ issuer: "http://localhost", ...server });
    return [];
  } catch (cause) {
    return cause instanceof ConfigError ? cause.problems : [messagesOf(cause)];
  }
}
