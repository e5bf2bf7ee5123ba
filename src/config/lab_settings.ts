import { isObject } from "../util/json.ts";
import type { ReportProblem } from "./problems.ts";

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
  responseTypes: "only a lab may send an ID token in an authorization response",
  hooks: "a test adds hooks to a lab, with lab.on(…)",
  responses: "a test queues responses of a lab, with lab.next(…)",
};

/** Reports each setting that belongs to a lab. Returns the configuration without them. */
export function withoutLabSettings<T>(config: T, report: ReportProblem): T {
  if (!isObject(config)) return config;
  const members = Object.entries(config);
  const found = members.filter(([name]) => labSettingProblem(name) !== undefined);
  if (found.length === 0) return config;
  for (const [name, value] of found) {
    if (value !== undefined) report(name, `is for labs only: ${labSettingProblem(name)}`);
  }
  const others = members.filter(([name]) => labSettingProblem(name) === undefined);
  return Object.fromEntries(others) as T;
}

/** Returns why no server takes a setting, or undefined if it does not belong to a lab. */
export function labSettingProblem(name: string): string | undefined {
  return Object.hasOwn(labSettings, name) ? labSettings[name] : undefined;
}
