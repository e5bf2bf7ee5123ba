import { ConfigError } from "../../config/problems.ts";
import { checkRules } from "../../config/profiles/profile.ts";
import type { Context } from "../context.ts";

/** Checks that the clients in the store meet the rules of the profile, which may be newer. */
export async function checkProfile({ settings, records }: Context): Promise<void> {
  const { profile } = settings;
  // Untestable (the condition became false): it only saves time, as no client breaks a rule.
  if (profile.clientRules.length === 0) return;
  const problems: string[] = [];
  for (const [id, client] of await records.clients.list()) {
    if (client.disabled) continue;
    checkRules(
      profile,
      profile.clientRules,
      client,
      (path, problem) => problems.push(`client '${id}' in the store: ${path} ${problem}`),
    );
  }
  if (problems.length > 0) throw new ConfigError(problems, "start the server");
}
