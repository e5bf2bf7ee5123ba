import type { Configuration } from "../configuration/configuration.ts";
import type { Environment } from "../terminal/terminal.ts";

/** The names of the environment variables that hold secrets of the configuration, by the secret. */
export type SecretSources = ReadonlyMap<string, string>;

/** Returns which secrets of a configuration come from the environment. */
export function secretSourcesOf(
  { secretVariables }: Pick<Configuration, "secretVariables">,
  environment: Environment,
): SecretSources {
  return new Map(secretVariables.map((name) => [environment[name] ?? "", name]));
}

/** Returns a secret, or where it is: its owner kept it out of files, and may keep the output. */
export function describeSecret(secret: string, variables: SecretSources): string {
  const name = variables.get(secret);
  return name === undefined ? secret : `in $${name}`;
}
