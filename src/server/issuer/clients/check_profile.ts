import { ConfigError } from "../../config/problems.ts";
import { checkRules } from "../../config/profiles/profile.ts";
import type { Settings } from "../../config/settings.ts";
import type { Client } from "../../model/client.ts";
import type { Context } from "../context.ts";

/** Checks that the clients in the store meet the rules of the profile, which may be newer. */
export async function checkProfile({ settings, records }: Context): Promise<void> {
  // Untestable (the condition became false): it only saves time, as no client breaks a rule.
  if (settings.profile.clientRules.length === 0) return;
  const problems: string[] = [];
  for await (const [, client] of records.clients.each()) {
    problems.push(...profileProblems(settings, client));
  }
  if (problems.length > 0) throw new ConfigError(problems, "start the server");
}

/** Returns why a client in the store breaks rules of the profile, a sentence each. */
export function profileProblems({ profile }: Pick<Settings, "profile">, client: Client): string[] {
  if (client.disabled) return [];
  const problems: string[] = [];
  checkRules(
    profile,
    profile.clientRules,
    client,
    (path, problem) => problems.push(`client '${client.id}' in the store: ${path} ${problem}`),
  );
  return problems;
}
