import type { Client, ClientReference } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import type { InteractionProgress } from "../../protocol/next_step.ts";
import { erasureNote, type Store } from "../../store/store.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import { day, hour } from "../../util/time/duration.ts";
import { memoize } from "../../util/values/memoize.ts";
import type {
  AdminChange,
  Authorization,
  Code,
  Completion,
  Consent,
  FamiliarBrowserRow,
  Interaction,
  KeyRow,
  OpaqueToken,
  RefreshToken,
  Session,
  SessionClientRow,
  StoredRequest,
  UserAuthorization,
  UserClaimRow,
} from "./rows.ts";
import {
  type Batch,
  createBatch,
  createWrite,
  orUnavailable,
  type RowsToWrite,
} from "./store_calls.ts";
import { type IsReadable, plainTable, secretTable, type Table, withMargin } from "./table.ts";

/**
 * APIs present the same token again. Each one that is remembered is in memory as it came, with the
 * body of its request, until others have replaced it.
 */
const maxRememberedHashes = 250;

/** Opens a table; with a test, rows of another form are refused. */
type OpenTable = <T>(kind: string, isReadable?: IsReadable<T>) => Table<T>;

/** The tables of a server. */
export interface Records {
  authorizations: Table<Authorization>;
  /** Leads to the authorizations of a user, by `user/client/`. */
  userAuthorizations: Table<UserAuthorization>;
  codes: Table<Code>;
  refreshTokens: Table<RefreshToken>;
  /** The clients that have used refresh tokens of late. */
  refreshingClients: Table<null>;
  opaqueTokens: Table<OpaqueToken>;
  /** Access tokens that were revoked individually, by their `jti`. */
  revokedTokens: Table<null>;
  /** DPoP proofs that were used, for as long as they could be replayed. */
  dpopProofs: Table<null>;
  sessions: Table<Session>;
  /** The same rows by `user/sid`, which is not secret, so that users can see their sessions. */
  userSessions: Table<Session>;
  /** Sessions that a user has signed out of, by their `sid`. */
  endedSessions: Table<null>;
  /** The clients that know of a session, by `sid/client`. */
  sessionClients: Table<SessionClientRow>;
  interactions: Table<Interaction>;
  /** Under the id of the interaction. */
  interactionProgress: Table<InteractionProgress>;
  /** Client assertions that were used, by `client/jti`. */
  usedAssertions: Table<null>;
  /** Authorization requests that were pushed or came by POST, by the SHA-256 of their handle. */
  storedRequests: Table<StoredRequest>;
  /** By `user/client/consent`. */
  consents: Table<Consent>;
  /** The mark of the last time that a user took access back, by `user/client`. */
  withdrawals: Table<string>;
  /** Clients and users that are not in the configuration. */
  clients: Table<Client>;
  users: Table<User>;
  /** When users were removed, by name, in milliseconds. */
  removedUsers: Table<number>;
  /** Leads from addresses, numbers and subjects to users, by the HMAC of each and of the name. */
  userClaims: Table<UserClaimRow>;
  /** How far rows are that earlier versions have not written, by their kind. */
  completions: Table<Completion>;
  keys: Table<KeyRow>;
  /** The server's own secrets, encrypted like keys. */
  secrets: Table<string>;
  /** What a process is changing right now. */
  locks: Table<null>;
  /** Wrong guesses at a name in a minute, by `name/minute/process`. */
  guessCounts: Table<number>;
  familiarBrowsers: Table<FamiliarBrowserRow>;
  /** Changes by administrators, by `time/random`, so that they are listed in their order. */
  adminChanges: Table<AdminChange>;
  /** The issuer that used the store last, as one row. */
  issuers: Table<string>;
  /** A note that replaced secrets must be erased from the files of the store, as one row. */
  erasures: Table<string>;
  /** Rows that only show that the store can be written, by process. */
  probes: Table<null>;
  /** Opens the tables of features, each kind of rows by one feature. */
  open: { plain: OpenTable; secret: OpenTable };
  batch: Batch;
  /** Writes rows in one round trip. Returns the result of its last call; true without one. */
  write(rows: RowsToWrite): Promise<boolean>;
  /** Milliseconds that our clock is ahead of the store's. */
  aheadOfStore(): Promise<number>;
  /** Deletes rows that expired before a time; by default now. */
  sweep(limit?: number, before?: number): Promise<number>;
  close(): Promise<void>;
}

export function createRecords(store: Store, now: () => number): Records {
  const kinds = new Set<string>();
  const claim = (kind: string): string => {
    if (kinds.has(kind)) throw new Error(`Two tables have rows of the kind '${kind}'.`);
    kinds.add(kind);
    return kind;
  };
  const plain = <T>(kind: string, isReadable?: IsReadable<T>) =>
    plainTable<T>(store, claim(kind), now, isReadable);
  const secret = <T>(kind: string, isReadable?: IsReadable<T>) =>
    secretTable<T>(store, claim(kind), now, isReadable);
  const batch = createBatch(store);
  const accessTokenHash = memoize(sha256, maxRememberedHashes);
  return {
    authorizations: plain("authorization"),
    userAuthorizations: plain("user-authorization"),
    codes: secret("code"),
    refreshTokens: secret("refresh-token"),
    refreshingClients: plain("refreshing-client"),
    opaqueTokens: secretTable(store, claim("access-token"), now, undefined, accessTokenHash),
    revokedTokens: withMargin(plain("revoked-token"), 1 * day * 1000),
    // Every request adds a proof, so the margin is shorter.
    dpopProofs: withMargin(plain("dpop-proof"), 1 * hour * 1000),
    sessions: secret("session"),
    userSessions: plain("user-session"),
    endedSessions: plain("ended-session"),
    sessionClients: plain("session-client"),
    interactions: secret("interaction", ({ pending }) => namesClient(pending)),
    interactionProgress: secret("interaction-progress", ({ state }) => state !== undefined),
    usedAssertions: withMargin(secret("used-assertion"), 1 * day * 1000),
    storedRequests: plain(
      "pushed-request",
      ({ authorizationRequest }) => namesClient(authorizationRequest),
    ),
    consents: plain("consent"),
    withdrawals: plain("withdrawal"),
    clients: plain("client", hasSecrets),
    users: plain("user", ({ subject }) => subject !== undefined),
    removedUsers: plain("removed-user"),
    userClaims: plain("user-claim"),
    completions: plain("completion"),
    keys: plain("key", ({ from }) => from !== undefined),
    secrets: plain("secret"),
    locks: plain("lock"),
    guessCounts: plain("guess-count"),
    familiarBrowsers: secret("familiar-browser"),
    adminChanges: plain("admin-change"),
    issuers: plain("issuer"),
    erasures: plain(erasureNote.kind),
    probes: plain("probe"),
    open: { plain, secret },
    batch,
    write: createWrite(batch),
    aheadOfStore: () => orUnavailable(() => aheadOf(store, now)),
    sweep: (limit, before = now()) => orUnavailable(() => store.sweep(before, limit)),
    close: () => store.close(),
  };
}

/** Without its client, a request would outlive the client, and be that of another one. */
export function namesClient({ requestedBy }: { requestedBy: ClientReference }): boolean {
  return requestedBy !== undefined;
}

/** Without its secrets, a client would be one that has none. */
export function hasSecrets({ secrets }: Client): boolean {
  return secrets !== undefined;
}

/** The store's clock is read at some moment before the response. */
async function aheadOf(store: Store, now: () => number): Promise<number> {
  if (!store.now) return 0;
  const start = now();
  const time = await store.now();
  return start > time ? start - time : Math.min(0, now() - time);
}
