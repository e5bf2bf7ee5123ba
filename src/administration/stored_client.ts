import { checkClient } from "../server/config/check_client.ts";
import { coreClientSchema } from "../server/config/config_data.ts";
import { withClientSettings } from "../server/config/feature_config.ts";
import {
  grantTypesOf,
  minUnguessableLength,
  scopesAboutUser,
  toClient,
  usesHmac,
} from "../server/config/make_client.ts";
import { collectProblems, type ReportProblem } from "../server/config/problems.ts";
import { checkValue } from "../server/config/schema.ts";
import { trustedOffer } from "../server/config/settings.ts";
import type { ClientConfig } from "../server/features.ts";
import type { Context } from "../server/issuer/context.ts";
import {
  decryptClientSecrets,
  encryptClientSecrets,
} from "../server/issuer/keys/secrets_at_rest.ts";
import { randomSecret } from "../server/issuer/random.ts";
import { AdminError } from "../server/issuer/records/lock.ts";
import { type Client, isClientSetting } from "../server/model/client.ts";

/**
 * Checks the settings of a client for the store: by the rules of the configuration, and a few more.
 * Throws a `ConfigError` that names each setting.
 */
export function checkStoredClient(
  ctx: Context,
  config: ClientConfig,
  task: "add the client" | "change the client",
  standIn?: string,
): void {
  const problems = collectProblems();
  const schema = withClientSettings(coreClientSchema, ctx.settings.clientParts);
  checkValue(schema, config, "", problems.report);
  problems.throwAny(task);
  checkClient(config, trustedOffer(ctx.settings), problems.report);
  checkSecretLength(config, problems.report);
  if (config.secret !== undefined && config.secret === standIn) {
    checkSecretUnneeded(config, problems.report);
  }
  problems.throwAny(task);
}

/** Makes the row of a client from what it was given, and from the row that it replaces. */
export async function makeStoredClient(
  ctx: Context,
  config: ClientConfig,
  before?: Client,
): Promise<Client> {
  const { secret: _, ...givenSettings } = config;
  const actsForItself = grantTypesOf(config).every((type) => type === "client_credentials");
  const scopes = config.scopes ?? (actsForItself ? [] : scopesAboutUser(ctx.settings));
  const client = await toClient(
    { ...config, scopes, ...before && keptAccess(before, config) },
    trustedOffer(ctx.settings),
  );
  const secrets = client.secrets.map((secret) => ({ ...secret, since: ctx.now() }));
  // A stored default would outlive a change of the server, or of its profile.
  const { pkce } = givenSettings;
  return await encryptClientSecrets(ctx, { ...client, pkce, givenSettings, secrets });
}

/** A change of another setting opens no API to a client that the server gained since. */
function keptAccess(
  { givenSettings: before, scopes, authorizationDetailsTypes }: Client,
  given: ClientConfig,
): Partial<ClientConfig> {
  const isDefault = (name: "scopes" | "authorizationDetailsTypes") =>
    before !== undefined && before[name] === undefined && given[name] === undefined;
  return {
    ...isDefault("scopes") && { scopes },
    ...isDefault("authorizationDetailsTypes") && { authorizationDetailsTypes },
  };
}

/** Returns the settings of a stored client, as they were given. */
export async function settingsOfClient(ctx: Context, client: Client): Promise<{
  given: ClientConfig;
  /** A random text instead of a secret of which only the hash is stored. */
  standIn?: string | undefined;
}> {
  const given = client.givenSettings ?? effectiveSettings(client);
  const { secrets: [secret] } = await decryptClientSecrets(ctx, client);
  if (!secret) return { given };
  const { encryptedText = randomSecret(ctx) } = secret;
  const standIn = secret.encryptedText === undefined ? encryptedText : undefined;
  return { given: { ...given, secret: encryptedText }, standIn };
}

/** Returns every setting that a client has, by itself or by default. */
export function effectiveSettings(client: Client): ClientConfig {
  const settings = Object.entries(client)
    .filter(([name, value]) => isClientSetting(name) && value !== undefined);
  return { ...Object.fromEntries(settings), id: client.id };
}

/** A client that registered itself manages its own settings (RFC 7592). */
export function checkOwnedByOperator({ id, registration }: Client): void {
  if (!registration) return;
  throw new AdminError(
    `The client '${id}' registered itself, and changes its settings itself. You can disable or ` +
      "remove it.",
  );
}

/** A thief of the store has only the SHA-256 of a secret, and could guess a short one. */
function checkSecretLength({ secret }: ClientConfig, report: ReportProblem): void {
  if (secret === undefined || secret.length >= minUnguessableLength) return;
  report(
    "secret",
    `must have at least ${minUnguessableLength} characters to be stored; --secret creates one`,
  );
}

/** An HMAC needs the secret itself. */
function checkSecretUnneeded(config: ClientConfig, report: ReportProblem): void {
  if (!usesHmac(config)) return;
  report(
    "secret",
    "is stored only as a hash, but is needed as a key now; --secret makes a new one",
  );
}
