import { findLeniencies } from "../../server/config/leniencies.ts";
import { minUnguessableLength } from "../../server/config/make_client.ts";
import { minPasswordLength } from "../../server/config/passwords.ts";
import { unopenedClaimWarnings } from "../../server/config/unopened_claims.ts";
import type { DirectoryEntry } from "../../server/issuer/admin/administration.ts";
import { findOtherIssuer } from "../../server/issuer/admin/store_issuer.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { Client } from "../../server/model/client.ts";
import type { ClientConfig } from "../../server/model/client_config.ts";
import type { User } from "../../server/model/user.ts";
import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import { day } from "../../server/util/time/duration.ts";
import { exposureWarnings, type ListeningServer } from "./exposure.ts";
import { loadAdministration } from "./load_administration.ts";

/** What an operator should know or change, though the server works without it. */
export interface Warning {
  about: WarningTopic;
  message: string;
}

/** What a warning is about. */
export type WarningTopic =
  | "address"
  | "backup"
  | "claims"
  | "clients"
  | "environment"
  | "keys"
  | "leniencies"
  | "passwords"
  | "proxy"
  | "secrets"
  | "store"
  | "users";

/** How a server is operated, or would be. */
export interface OperatedServer
  extends Pick<ListeningServer, "host" | "metricsHost" | "inContainer"> {
  ctx: Context;
  /** Whether everything is lost with the process. */
  isStoreInMemory: boolean;
  port: number;
  /** Whether the server itself has a certificate, rather than a proxy. */
  hasTls: boolean;
}

/** Warns of how a server is operated. */
export async function operationWarnings(server: OperatedServer): Promise<Warning[]> {
  const { ctx, isStoreInMemory, port, hasTls } = server;
  const { issuer, secret, store, trustedProxies, registration, clientMetadataDocuments } =
    ctx.settings;
  const hasDynamicClients = registration.open || clientMetadataDocuments;
  const admin = await loadAdministration(ctx);
  const clients = await admin.clients.list();
  const users = await admin.users.list();
  const exposed = exposureWarnings({ ...server, issuer, trustedProxies });
  return [
    ...exposed.map((message) => ({ about: "address" as const, message })),
    // With a trusted proxy, it is no mistake.
    ...trustedProxies.length === 0 ? portWarnings(issuer, port) : [],
    ...when(isStoreInMemory, {
      about: "store",
      message: "The store is in memory: a restart loses everything. Use --store sqlite:PATH, or " +
        "postgres://HOST/DATABASE or redis://HOST:PORT for several servers.",
    }),
    ...(store.warnings ?? []).map((message) => ({ about: "store" as const, message })),
    ...when(!isStoreInMemory && !secret, {
      about: "keys",
      message: "The signing keys in the store are not encrypted. Set HALLPASS_SECRET to encrypt " +
        "them: openssl rand -base64 32",
    }),
    ...when(issuer.startsWith("https:") && !hasTls && trustedProxies.length === 0, {
      about: "proxy",
      message: "The issuer uses https, but this process does not. If a proxy is in front of it, " +
        "name the proxy in 'trustedProxies': \"loopback\" if it is on this machine, or its IP " +
        "addresses. Otherwise everyone counts as one sender.",
    }),
    ...when(clients.length === 0 && !hasDynamicClients, {
      about: "clients",
      message: "There is no client. Add one to the configuration, or with: hallpass client add ID",
    }),
    ...await storeWarnings(ctx, clients, users),
    ...await claimWarnings(ctx, users),
  ];
}

/** Warns of what a store has in common with the configuration, or with another server. */
async function storeWarnings(
  ctx: Context,
  clients: ReadonlyArray<DirectoryEntry<Client>>,
  users: ReadonlyArray<DirectoryEntry<User>>,
): Promise<Warning[]> {
  const otherIssuer = await findOtherIssuer(ctx);
  return [
    ...shadowWarnings("client", clients, ({ id }) => id),
    ...shadowWarnings("user", users, ({ name }) => name),
    ...when(otherIssuer !== undefined, {
      about: "store",
      message:
        `The store was last used by the server of ${otherIssuer}. Its tokens are not valid ` +
        `for ${ctx.settings.issuer}; give each issuer a separate store.`,
    }),
  ];
}

/** What is in both places cannot be changed, because that of the configuration hides the other. */
function shadowWarnings<T>(
  kind: "client" | "user",
  entries: ReadonlyArray<DirectoryEntry<T>>,
  nameOf: (value: T) => string,
): Warning[] {
  const configured = entries.filter(({ from }) => from === "configuration");
  const names = new Set(configured.map(({ value }) => nameOf(value)));
  const hidden = entries.filter(({ from, value }) => from === "store" && names.has(nameOf(value)));
  return hidden.map(({ value }) => ({
    about: `${kind}s`,
    message: `The ${kind} '${nameOf(value)}' is in the configuration and in the store; the ` +
      `configuration counts. Take it out of the configuration, or rename it there and run: ` +
      `hallpass ${kind} remove ${nameOf(value)}`,
  }));
}

/** Warns of a loopback issuer with another port, which is more often a mistake than a proxy. */
export function portWarnings(issuer: string, port: number): Warning[] {
  const url = new URL(issuer);
  const expected = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const isFree = port === 0;
  return when(isLoopbackHost(url.hostname) && port !== expected && !isFree, {
    about: "address",
    message:
      `The issuer is ${issuer}, but the server listens on port ${port}. Clients can't find it ` +
      "there unless a proxy on this machine forwards their requests. Otherwise, use the same " +
      "port for both.",
  });
}

/** Warns of claims of users that no client can receive. */
async function claimWarnings(
  ctx: Context,
  users: ReadonlyArray<DirectoryEntry<User>>,
): Promise<Warning[]> {
  const clients = (await ctx.records.clients.list()).map(([, client]) => client);
  return unopenedClaimWarnings(ctx.settings, clients, users.map(({ value }) => value))
    .map((message) => ({ about: "claims", message }));
}

/** A client of the configuration, and how it uses its secret. */
type SecretOfClient = Pick<ClientConfig, "id" | "secret" | "authentication">;

/**
 * Warns about secrets of the configuration that can be guessed, or that libraries send incorrectly.
 * Does not quote them.
 */
export function weakSecretWarnings(
  { clients = [], users = [] }: {
    clients?: readonly SecretOfClient[];
    users?: ReadonlyArray<{ name: string; password?: string | undefined }>;
  },
): Warning[] {
  const weakClients = clients.filter(({ secret }) => isShorter(secret, minUnguessableLength));
  const weakUsers = users.filter(({ password }) => isShorter(password, minPasswordLength));
  return [
    ...weakClients.map(({ id }): Warning => ({
      about: "secrets",
      message: `The secret of the client '${id}' has fewer than 128 bits. Take one that cannot ` +
        "be guessed: openssl rand -hex 32",
    })),
    ...clients.filter(needsEncoding).map(({ id }): Warning => ({
      about: "secrets",
      message: `The secret of the client '${id}' contains '+' or '%'. In HTTP Basic they must be ` +
        "sent as %2B and %25, which some libraries don't do. Use one without: openssl rand " +
        "-hex 32",
    })),
    ...weakUsers.map(({ name }): Warning => ({
      about: "passwords",
      message:
        `The password of the user '${name}' is shorter than ${minPasswordLength} characters.`,
    })),
  ];
}

/**
 * Warns of a SQLite store that is in use for a week, and has no backup of that week. Of other
 * databases, we cannot know.
 */
export async function backupWarnings(ctx: Context): Promise<Warning[]> {
  if (!ctx.settings.store.name?.startsWith("sqlite:")) return [];
  const weekAgo = ctx.now() - 7 * day * 1000;
  const changes = await (await loadAdministration(ctx)).changes.list();
  const isOld = changes.some(({ at }) => at < weekAgo);
  const hasBackup = changes.some(({ at, command }) => at >= weekAgo && command === "backup");
  return when(isOld && !hasBackup, {
    about: "backup",
    message: "There is no backup of the last 7 days. Make one every night: hallpass backup FILE",
  });
}

/** Names every leniency that is on. */
export async function leniencyWarnings(ctx: Context): Promise<Warning[]> {
  const admin = await loadAdministration(ctx);
  const clients = (await admin.clients.list()).map(({ value }) => value);
  return findLeniencies(ctx.settings, clients).map(({ what, means, see }) => ({
    about: "leniencies",
    message: `${what} ${means} (${see}).`,
  }));
}

/**
 * Whether clients may forget to form-encode the secret in HTTP Basic (OAuth 2.1, section 2.4.1).
 */
function needsEncoding({ secret = "", authentication }: SecretOfClient): boolean {
  return /[+%]/.test(secret) && (authentication?.includes("client_secret_basic") ?? true);
}

function isShorter(secret: string | undefined, length: number): boolean {
  return secret !== undefined && secret.length < length;
}

function when(isTrue: boolean, warning: Warning): Warning[] {
  return isTrue ? [warning] : [];
}
