import { UsageError } from "../terminal/exit_code.ts";
import type { Environment } from "../terminal/terminal.ts";
import type { FileConfig } from "./config_file.ts";

/** The environment variable with the secret that encrypts keys in the store. */
export const secretVariable = "HALLPASS_SECRET";

/** The environment variable with the secret that `key reseal` replaces. */
export const earlierSecretVariable = "HALLPASS_OLD_SECRET";

/** The names of the environment variables that hold secrets of the configuration, by the secret. */
export type SecretSources = ReadonlyMap<string, string>;

/** Checks that the environment holds every secret that the configuration reads from it. */
export function checkSecretsPresent({ missingSecrets }: FileConfig): void {
  if (missingSecrets.length > 0) {
    throw new UsageError(missingSecrets.map(missingSecretProblem).join("\n"));
  }
}

/** Returns the sentence for an environment variable that should hold a secret. */
export function missingSecretProblem(name: string): string {
  return `The configuration reads a secret from the environment variable ${name}, which is not ` +
    "set.";
}

/** Returns the secrets that a configuration reads from these variables, with their names. */
export function secretSourcesOf(
  variables: readonly string[],
  environment: Environment,
): SecretSources {
  return new Map(variables.map((name) => [environment[name] ?? "", name]));
}

/** Returns a secret, or where it is: its owner kept it out of files, and may keep the output. */
export function describeSecret(secret: string, variables: SecretSources): string {
  const name = variables.get(secret);
  return name === undefined ? secret : `in $${name}`;
}
