import { ConfigError } from "../../config/config_error.ts";
import { checkRules } from "../../config/profiles/profile.ts";
import type { Context } from "../context.ts";

/** A profile holds for the clients that were stored before it as well. */
export async function checkProfile({ settings, records }: Context): Promise<void> {
  const { profile } = settings;
  if (profile.clientRules.length === 0) return;
  const problems: string[] = [];
  for (const [id, client] of await records.clients.list()) {
    if (!client.disabled) {
      checkRules(
        profile,
        profile.clientRules,
        client,
        (path, problem) => problems.push(`client '${id}' in the store: ${path} ${problem}`),
      );
    }
  }
  if (problems.length > 0) throw new ConfigError(problems, "start the server");
}
