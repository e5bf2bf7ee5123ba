import type { Config } from "../config/config.ts";
import { minUnguessableLength } from "../config/make_client.ts";

const minPasswordLength = 8;

/** Advises against secrets of the configuration that can be guessed. It does not print them. */
export function weakSecretAdvice({ clients = [], users = [] }: Partial<Config>): string[] {
  const weakClients = clients.filter(({ secret }) => isShorter(secret, minUnguessableLength));
  const weakUsers = users.filter(({ password }) => isShorter(password, minPasswordLength));
  return [
    ...weakClients.map(({ id }) =>
      `The secret of the client '${id}' has fewer than 128 bits. Take one that cannot be guessed: ` +
      "openssl rand -base64 32"
    ),
    ...weakUsers.map(({ name }) =>
      `The password of the user '${name}' is shorter than ${minPasswordLength} characters.`
    ),
  ];
}

function isShorter(secret: string | undefined, length: number): boolean {
  return secret !== undefined && secret.length < length;
}
