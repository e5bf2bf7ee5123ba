import { checkEndpointDemands } from "../../config/check_client.ts";
import { coreClientSchema } from "../../config/config_data.ts";
import { checkRules } from "../../config/profiles/profile.ts";
import type { Settings } from "../../config/settings.ts";
import { type Client, isClientSetting } from "../../model/client.ts";

/** Returns why a client in the store cannot be used, a sentence each. */
export function storedClientProblems(
  settings: Settings,
  client: Client,
): string[] {
  if (client.disabled) return [];
  const { profile, clientParts } = settings;
  const problems: string[] = [];
  const report = (path: string, problem: string) =>
    problems.push(`client '${client.id}' in the store: ${path} ${problem}`);
  checkRules(profile, profile.clientRules, client, report);
  checkEndpointDemands(client, settings, report);
  const added = clientParts.map(({ schema }) => schema);
  const isKnown = (name: string) =>
    [coreClientSchema, ...added].some(({ members }) => Object.hasOwn(members, name));
  // What asks for something and is not read must not be ignored.
  for (const [name, value] of Object.entries(client)) {
    if (isIdle(value) || !isClientSetting(name) || isKnown(name)) continue;
    report(name, "is a setting that this server does not have");
  }
  return problems;
}

/** Whether a value asks for nothing. */
function isIdle(value: unknown): boolean {
  return value === undefined || value === false || (Array.isArray(value) && value.length === 0);
}
