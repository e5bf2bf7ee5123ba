import { isObject } from "../util/text/json.ts";
import { nearestName } from "../util/text/nearest_name.ts";
import type { ReportProblem } from "./problems.ts";
import type { ObjectSchema } from "./schema.ts";

const signsIn = "it signs users in without asking them";

/** The settings that only a server for tests takes, and why no other server does. */
export const testSettings: Readonly<Record<string, string>> = {
  signIn: signsIn,
  signInByHint: signsIn,
  consent: "it leaves the consent page out",
  seed: "it makes codes and tokens that can be predicted",
  anyClient: "it accepts clients that the server does not know",
  unknownClientPkce: "it accepts unknown clients without PKCE",
  anyScope: "it accepts scopes that the server does not know",
  mcpStepUp: "it lets clients ask for more than they registered for",
  anyGrant: "it accepts codes, refresh tokens and assertions that the server never issued",
  responseTypes: "it sends an ID token in an authorization response",
  redirectStatus: "it sends authorization responses with the status 302",
  responseChanges: "it changes what the server sends",
  clientDefaults: "it weakens every client at once",
  dialect: "it changes what the server sends",
  provider: "it plays another provider, with what that permits",
  providers: "it plays other providers, with what they permit",
  accounts: "it is about providers that are played",
  hosts: "it has the hosts of another provider",
  enterprise: "it opens an identity provider with public secrets",
  errorUri: "it links to pages that explain an error to anyone",
  drillOrigins: "it drills applications",
};

/** What a test gives to its server by a method. */
const givenByMethod: Readonly<Record<string, string>> = {
  hooks: "a test adds hooks with the method on(…)",
  responses: "a test queues responses with the method next(…)",
};

/** The options of a server for tests, as they are suggested for a misspelled one. */
const testOptionNames: readonly string[] = [
  ...Object.keys(testSettings),
  ...["labToken", "redirectUris", "listen", "tls"],
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
  const meant = misspelledOption(name, settings);
  return meant && `is not a setting. Did you mean '${meant}'?`;
}

/** Returns the option for tests that a misspelled name is nearest to, if it is nearest to one. */
function misspelledOption(name: string, settings: readonly string[]): string | undefined {
  const nearest = nearestName(name, [...settings, ...testOptionNames]);
  return testOptionNames.find((option) => option === nearest && option !== name);
}
