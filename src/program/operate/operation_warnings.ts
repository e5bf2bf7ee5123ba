import type { AdminChange } from "../../administration/administration.ts";
import { maxCounted } from "../../administration/extent.ts";
import { unopenedClaimWarnings } from "../../administration/unopened_claims.ts";
import { minUnguessableLength } from "../../server/config/make_client.ts";
import { minPasswordLength } from "../../server/config/passwords.ts";
import { defaultPolicies } from "../../server/config/policies.ts";
import type { Settings } from "../../server/config/settings.ts";
import type { ClientConfig } from "../../server/features.ts";
import type { Context } from "../../server/issuer/context.ts";
import { keysOfAlgorithm, type StoredKey } from "../../server/issuer/keys/key_ring.ts";
import { groupsScope } from "../../server/model/claims.ts";
import { day } from "../../server/util/time/duration.ts";
import type { ServerConfig } from "../configuration/program_config.ts";
import { readsDocuments } from "../features/documents/operate.ts";
import { isOpenToRegistration } from "../features/registration/operate.ts";
import {
  localhostNameWarning,
  openMetricsWarning,
  otherPortWarning,
  plainHttpWarning,
  reachWarnings,
} from "./address_warnings.ts";
import { type DirectoryCounts, firstOf, type ServerDirectory } from "./directory.ts";
import type { Leniency } from "./leniency.ts";
import type { Site } from "./site.ts";

/** What an operator should know or change, though the server works without it. */
export interface Warning {
  about: WarningTopic;
  message: string;
}

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

/** What warnings are found in. Each command passes what it has read, and nothing else. */
export interface WarningFacts {
  site: Site;
  settings: Settings;
  encryption: Context["keys"]["encryption"];
  /** Known only after a start, by `serve`. */
  started: { onDeno: boolean; alg: Settings["alg"] };
  /** The configuration as it was written. */
  configuration: Pick<ServerConfig, "clients" | "users">;
  /** A sentence for each misspelled environment variable. */
  misspelled: readonly string[];
  /** What the store says of itself: that may change without the configuration. */
  storeWarnings: readonly string[];
  /** What features find in the store, which only a check reads as a whole. */
  userProblems: readonly string[];
  counts: DirectoryCounts;
  directory: ServerDirectory;
  leniencies: readonly Leniency[];
  /** The clients that got many refresh tokens and used none. */
  idleRefreshers: readonly string[];
  keys: readonly StoredKey[];
  /** Another issuer whose server used the store last. */
  otherIssuer: string;
  /** What administrators changed, and the time. */
  history: { changes: readonly AdminChange[]; now: number };
}

export type KnownFacts = { readonly [Name in keyof WarningFacts]?: WarningFacts[Name] | undefined };

/** Returns a sentence or two for each problem. */
type Find<Known> = (known: Known) => ReadonlyArray<string | false>;

interface WarningRow {
  about: WarningTopic;
  /** A command that lacks one of these facts does not warn. */
  needs: ReadonlyArray<keyof WarningFacts>;
  find: Find<WarningFacts>;
}

/** Whether clients come that no administrator added, by feature. */
const opensToClients: ReadonlyArray<(settings: Settings) => boolean> = [
  readsDocuments,
  isOpenToRegistration,
];

/** All warnings, in the order of the output. */
const warnings: readonly WarningRow[] = [
  // Only when a server starts: `check` may run on another machine. All that both could say is for
  // `check`.
  row("address", ["site", "started"], ({ site }) => reachWarnings(site)),
  row("address", ["site"], ({ site }) => [
    site.lacksCertificates && "The server has 'mtls', but no connection can bring a certificate. " +
      "Set --mtls-port, or name the proxy that asks clients for certificates in 'mtls.proxies'.",
  ]),
  row("environment", ["misspelled"], ({ misspelled }) => misspelled),
  row("address", ["site", "settings"], ({ site }) => [
    plainHttpWarning(site),
    openMetricsWarning(site),
    otherPortWarning(site),
    localhostNameWarning(site),
  ]),
  row("store", ["site", "settings"], ({ site }) => [
    site.isStoreInMemory && "The store is in memory: a restart loses everything. Use --store " +
      "sqlite:PATH, or postgres://HOST/DATABASE or redis://HOST:PORT for several servers.",
  ]),
  row("store", ["storeWarnings"], ({ storeWarnings }) => storeWarnings),
  row("users", ["userProblems"], ({ userProblems }) => userProblems),
  row("keys", ["site", "encryption"], ({ site, encryption }) => [
    !site.isStoreInMemory && !encryption.isSecret && "The signing keys in the store are not " +
      "encrypted. Set HALLPASS_SECRET to encrypt them: openssl rand -base64 32",
  ]),
  row("keys", ["keys"], ({ keys }) => [
    keys.some((key) => key.wasClear && keysOfAlgorithm(key.alg, keys).at(-1) === key) &&
    "Signing keys were stored in clear text before there was a HALLPASS_SECRET. They are erased " +
      "from a SQLite file, but copies and backups of the store may have them. Replace them: " +
      "hallpass key rotate",
  ]),
  row("proxy", ["site", "settings"], ({ site: { issuer, hasTls, trustedProxies } }) => [
    issuer.startsWith("https:") && !hasTls && trustedProxies.length === 0 &&
    "The issuer uses https, but this process does not. If a proxy is in front of it, name the " +
      "proxy in 'trustedProxies': \"loopback\" if it is on this machine, or its IP addresses. " +
      "Otherwise everyone counts as one sender.",
  ]),
  row("clients", ["settings", "counts"], ({ settings, counts }) => [
    counts.clients === 0 && !opensToClients.some((isOpen) => isOpen(settings)) &&
    "There is no client. Add one to the configuration, or with: hallpass client add ID",
  ]),
  row("users", ["settings", "directory"], ({ settings, directory: { clients, users } }) => [
    users.length === 0 && clients.some(({ signsIn }) => signsIn) &&
    settings.policies.authenticate === defaultPolicies.authenticate &&
    "There is no user to sign in. Add one to the configuration, or with: hallpass user add NAME",
  ]),
  row(
    "clients",
    ["settings", "directory"],
    ({ settings, directory }) =>
      settings.policies.authenticate === defaultPolicies.authenticate
        ? groupsWithoutMembers(directory)
        : [],
  ),
  row("clients", ["directory"], ({ directory: { clients } }) => shadowed("client", clients)),
  row("users", ["directory"], ({ directory: { users } }) => shadowed("user", users)),
  row("store", ["site", "otherIssuer"], ({ site, otherIssuer }) => [
    `The store was last used by the server of ${otherIssuer}. Its tokens are not valid for ` +
    `${site.issuer}; give each issuer a separate store.`,
  ]),
  row(
    "claims",
    ["settings", "directory"],
    ({ settings, directory: { clients, users } }) =>
      unopenedClaimWarnings(settings, clients, users),
  ),
  row("clients", ["idleRefreshers"], ({ idleRefreshers }) => [
    idleRefreshers.length > 0 &&
    `Clients that got more than ${maxCounted.toLocaleString("en")} refresh tokens and used none: ` +
      `${firstOf(idleRefreshers)}. Each is kept with its authorization until it expires. If they ` +
      "don't refresh, take refresh_token out of their 'grantTypes'.",
  ]),
  row("keys", ["started"], ({ started: { alg, onDeno } }) => [
    onDeno && alg !== "EdDSA" && `On Deno, ${alg} signs many times slower than EdDSA. If your ` +
      "clients support it, use --alg EdDSA, and idTokenAlg for ID tokens.",
  ]),
  row("secrets", ["configuration"], ({ configuration: { clients = [] } }) => {
    const short = clients.filter(({ secret }) => isShorter(secret, minUnguessableLength));
    const unencoded = clients.filter(isUnencoded);
    return [
      short.length > 0 &&
      `Clients whose secret has fewer than 128 bits: ${firstOf(short.map(({ id }) => id))}. Take ` +
        "one that cannot be guessed: openssl rand -hex 32",
      unencoded.length > 0 &&
      `Clients whose secret contains '+' or '%': ${firstOf(unencoded.map(({ id }) => id))}. In ` +
        "HTTP Basic they must be sent as %2B and %25, which some libraries don't do. Use one " +
        "without: openssl rand -hex 32",
    ];
  }),
  row("passwords", ["configuration"], ({ configuration: { users = [] } }) => {
    const short = users.filter(({ password }) => isShorter(password, minPasswordLength));
    return [
      short.length > 0 && `Users whose password is shorter than ${minPasswordLength} ` +
        `characters: ${firstOf(short.map(({ name }) => name))}.`,
    ];
  }),
  // Of the backups of other databases, we cannot know.
  row("backup", ["settings", "history"], ({ settings, history }) => [
    settings.store.name?.startsWith("sqlite:") === true && lacksBackup(history) &&
    "There is no backup of the last 7 days. Make one every night: hallpass backup FILE",
  ]),
  row(
    "leniencies",
    ["leniencies"],
    ({ leniencies }) =>
      leniencies.map(({ setting, effect, see }) => `${setting} ${effect} (${see}).`),
  ),
];

export function findWarnings(known: KnownFacts): Warning[] {
  return warnings
    .filter(({ needs }) => needs.every((need) => known[need] !== undefined))
    .flatMap(({ about, find }) =>
      find(known as WarningFacts).filter((message) => message !== false)
        .map((message) => ({ about, message }))
    );
}

function row<Need extends keyof WarningFacts>(
  about: WarningTopic,
  needs: readonly Need[],
  find: Find<Pick<WarningFacts, Need>>,
): WarningRow {
  return { about, needs, find };
}

/** Returns a warning for each group of a client that no user is in: it may be misspelled. */
function groupsWithoutMembers({ clients, users }: ServerDirectory): string[] {
  const inhabited = new Set(users.flatMap(({ claims = {} }) => [claims[groupsScope] ?? []].flat()));
  return clients.flatMap(({ name, groups = [] }) =>
    groups.filter((group) => !inhabited.has(group)).map((group) =>
      `The client '${name}' is for the group '${group}', which has no user. Is it misspelled?`
    )
  );
}

/** What is in both places cannot be changed, because that of the configuration hides the other. */
function shadowed(
  kind: "client" | "user",
  entries: ServerDirectory["clients"] | ServerDirectory["users"],
): string[] {
  const configured = entries.filter(({ from }) => from === "configuration");
  const names = new Set(configured.map(({ name }) => name));
  const hidden = entries.filter(({ from, name }) => from === "store" && names.has(name));
  return hidden.map(({ name }) =>
    `The ${kind} '${name}' is in the configuration and in the store; the configuration counts. ` +
    `Take it out of the configuration, or rename it there and run: hallpass ${kind} remove ${name}`
  );
}

/** Clients may forget to form-encode the secret in HTTP Basic (OAuth 2.1, section 2.4.1). */
function isUnencoded({ secret = "", authentication }: ClientConfig): boolean {
  const isForBasic = authentication?.includes("client_secret_basic") ?? true;
  return isForBasic && /[+%]/.test(secret);
}

function isShorter(secret: string | undefined, length: number): boolean {
  return secret !== undefined && secret.length < length;
}

/** Whether a store is in use for a week, and has no backup of that week. */
function lacksBackup({ changes, now }: WarningFacts["history"]): boolean {
  const weekAgo = now - 7 * day * 1000;
  const isOld = changes.some(({ at }) => at < weekAgo);
  return isOld && !changes.some(({ at, command }) => at >= weekAgo && command === "backup");
}
