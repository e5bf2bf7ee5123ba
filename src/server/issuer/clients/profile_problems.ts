import { checkRules } from "../../config/profiles/profile.ts";
import type { Settings } from "../../config/settings.ts";
import type { Client } from "../../model/client.ts";

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
