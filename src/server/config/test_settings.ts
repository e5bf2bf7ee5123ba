import forTests from "../../../static/settings/for_tests.json" with { type: "json" };
import { isObject } from "../util/text/json.ts";
import { nearestName } from "../util/text/nearest_name.ts";
import type { ReportProblem } from "./problems.ts";
import type { ObjectSchema } from "./schema.ts";

/** The settings that only a server for tests takes, and why no other server does. */
export const testSettings: Readonly<Record<string, string>> = forTests.settings;

/** What a test gives to its server by a method. */
const givenByMethod: Readonly<Record<string, string>> = {
  hooks: "a test adds hooks with the method on(…)",
  acr: "a test chooses it with the method signIn(…)",
  amr: "a test chooses it with the method signIn(…)",
  authTime: "a test chooses it with the method signIn(…)",
  responses: "a test queues responses with the method next(…)",
};

/** The options of a server for tests, as they are suggested for a misspelled one. */
const testOptionNames: readonly string[] = [
  ...Object.keys(testSettings),
  ...forTests.options,
];

/**
 * Reports each setting that is for tests, or was meant to be. Returns the configuration without
 * them.
 */
export function withoutTestSettings<T>(
  config: T,
  { members }: ObjectSchema,
  report: ReportProblem,
): T {
  if (!isObject(config)) return config;
  const others = Object.entries(config).filter(([name]) => !Object.hasOwn(members, name));
  const problems = others.flatMap(([name, value]) => {
    const problem = testSettingProblem(name, Object.keys(members));
    return problem === undefined ? [] : [{ name, problem, value }];
  });
  if (problems.length === 0) return config;
  for (const { name, problem, value } of problems) {
    if (value !== undefined) report(name, problem);
  }
  const names = problems.map(({ name }) => name);
  return Object.fromEntries(Object.entries(config).filter(([name]) => !names.includes(name))) as T;
}

function testSettingProblem(name: string, settings: readonly string[]): string | undefined {
  const reasons = { ...testSettings, ...givenByMethod };
  if (Object.hasOwn(reasons, name)) return `is for tests only: ${reasons[name]}`;
  const nearest = nearestName(name, [...settings, ...testOptionNames]);
  const meant = testOptionNames.find((option) => option === nearest && option !== name);
  return meant && `is not a setting (did you mean '${meant}'?)`;
}
