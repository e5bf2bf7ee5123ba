import { isObject } from "../util/text/json.ts";
import { nearestName } from "../util/text/nearest_name.ts";
import type { ReportProblem } from "./problems.ts";
import { configSchema } from "./schemas.ts";

/** The start of the `kid` of every key of a lab. */
export const testOnly = "TEST-ONLY-";

const signsIn = "only a lab may sign users in without asking them";

/** The settings that no server takes, and the reason of each. */
export const labSettings: Readonly<Record<string, string>> = {
  signIn: signsIn,
  signInByHint: signsIn,
  consent: "only a lab may leave the consent page out",
  seed: "only a lab may make codes and tokens that can be predicted",
  anyClient: "only a lab may accept clients that it does not know",
  unknownClientPkce: "only a lab may accept unknown clients without PKCE",
  anyScope: "only a lab may accept scopes that it does not know",
  anyGrant: "only a lab may accept codes, refresh tokens and assertions that it never issued",
  responseTypes: "only a lab may send an ID token in an authorization response",
  redirectStatus: "only a lab may send authorization responses with the status 302",
  errorUri: "only a lab has pages that explain an error",
  drillOrigins: "only a lab drills applications",
  hooks: "a test adds hooks to a lab, with lab.on(…)",
  responses: "a test queues responses of a lab, with lab.next(…)",
};

/** What a test gives to a lab by a method. */
const methodNames = ["hooks", "responses"];

/** The names that only the options of a lab have, as they are suggested for a misspelled one. */
const labOptionNames: readonly string[] = [
  ...Object.keys(labSettings).filter((name) => !methodNames.includes(name)),
  ...["labToken", "redirectUris", "listen", "tls"],
];

const settingNames: ReadonlySet<string> = new Set(Object.keys(configSchema.members));

/**
 * Reports each setting that belongs to a lab, or was meant to. Returns the configuration without
 * them.
 */
export function withoutLabSettings<T>(config: T, report: ReportProblem): T {
  if (!isObject(config)) return config;
  const others = Object.entries(config).filter(([name]) => !settingNames.has(name));
  const problems = others.flatMap(([name, value]) => {
    const problem = labSettingProblem(name);
    if (problem !== undefined) return [{ name, problem: `is for labs only: ${problem}`, value }];
    const meant = misspelledOption(name);
    if (meant === undefined) return [];
    return [{ name, problem: `is not a setting. Did you mean '${meant}'?`, value }];
  });
  if (problems.length === 0) return config;
  for (const { name, problem, value } of problems) {
    if (value !== undefined) report(name, problem);
  }
  const names = problems.map(({ name }) => name);
  return Object.fromEntries(Object.entries(config).filter(([name]) => !names.includes(name))) as T;
}

/** Returns the option of a lab that a misspelled name is nearest to, if it is nearest to one. */
function misspelledOption(name: string): string | undefined {
  const nearest = nearestName(name, [...settingNames, ...labOptionNames]);
  return labOptionNames.find((option) => option === nearest);
}

/** Returns why no server takes a setting, or undefined if it does not belong to a lab. */
export function labSettingProblem(name: string): string | undefined {
  return Object.hasOwn(labSettings, name) ? labSettings[name] : undefined;
}
