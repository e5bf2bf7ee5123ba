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
  ClockNote,
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
import { createBatch, createWrite, orUnavailable } from "./store_calls.ts";
import { type IsReadable, plainTable, secretTable, withMargin } from "./table.ts";

/**
 * APIs present the same token again. Each one that is remembered is in memory as it came, with the
 * body of its request, until others have replaced it.
 */
const maxRememberedHashes = 250;

/** The tables of a server. */
export type Records = ReturnType<typeof createRecords>;

export function createRecords(store: Store, now: () => number) {
  const kinds = new Set<string>();
  const claim = (kind: string): string => {
    if (kinds.has(kind)) throw new Error(`Two tables have rows of the kind '${kind}'.`);
    kinds.add(kind);
    return kind;
  };
  // With a test, rows of another form are refused.
  const plain = <T>(kind: string, isReadable?: IsReadable<T>) =>
    plainTable<T>(store, claim(kind), now, isReadable);
  const secret = <T>(kind: string, isReadable?: IsReadable<T>) =>
    secretTable<T>(store, claim(kind), now, isReadable);
  const batch = createBatch(store);
  const accessTokenHash = memoize(sha256, maxRememberedHashes);
  return {
    authorizations: plain<Authorization>("authorization"),
    /** Leads to the authorizations of a user, by `user/client/`. */
    userAuthorizations: plain<UserAuthorization>("user-authorization"),
    codes: secret<Code>("code"),
    refreshTokens: secret<RefreshToken>("refresh-token"),
    /** The clients that have used refresh tokens of late. */
    refreshingClients: plain<null>("refreshing-client"),
    opaqueTokens: secretTable<OpaqueToken>(
      store,
      claim("access-token"),
      now,
      undefined,
      accessTokenHash,
    ),
    /** Access tokens that were revoked individually, by their `jti`. */
    revokedTokens: withMargin(plain<null>("revoked-token"), 1 * day * 1000),
    /** DPoP proofs that were used, for as long as they could be replayed. */
    // Every request adds a proof, so the margin is shorter.
    dpopProofs: withMargin(plain<null>("dpop-proof"), 1 * hour * 1000),
    sessions: secret<Session>("session"),
    /** The same rows by `user/sid`, which is not secret, so that users can see their sessions. */
    userSessions: plain<Session>("user-session"),
    /** Sessions that a user has signed out of, by their `sid`. */
    endedSessions: plain<null>("ended-session"),
    /** The clients that know of a session, by `sid/client`. */
    sessionClients: plain<SessionClientRow>("session-client"),
    interactions: secret<Interaction>("interaction", ({ pending }) => namesClient(pending)),
    /** Under the id of the interaction. */
    interactionProgress: secret<InteractionProgress>(
      "interaction-progress",
      ({ state }) => state !== undefined,
    ),
    /** Client assertions that were used, by `client/jti`. */
    usedAssertions: withMargin(secret<null>("used-assertion"), 1 * day * 1000),
    /** Authorization requests that were pushed or came by POST, by the SHA-256 of their handle. */
    storedRequests: plain<StoredRequest>(
      "pushed-request",
      ({ authorizationRequest }) => namesClient(authorizationRequest),
    ),
    /** By `user/client/consent`. */
    consents: plain<Consent>("consent"),
    /** The mark of the last time that a user took access back, by `user/client`. */
    withdrawals: plain<string>("withdrawal"),
    /** Clients and users that are not in the configuration. */
    clients: plain<Client>("client", hasSecrets),
    users: plain<User>("user", ({ subject }) => subject !== undefined),
    /** When users were removed, by name, in milliseconds. */
    removedUsers: plain<number>("removed-user"),
    /** Leads from addresses, numbers and subjects to users, by the HMAC of each and of the name. */
    userClaims: plain<UserClaimRow>("user-claim"),
    /** How far rows are that earlier versions have not written, by their kind. */
    completions: plain<Completion>("completion"),
    keys: plain<KeyRow>("key", ({ from }) => from !== undefined),
    /** The server's own secrets, encrypted like keys. */
    secrets: plain<string>("secret"),
    /** What a process is changing right now. */
    locks: plain<null>("lock"),
    /** Wrong guesses at a name in a minute, by `name/minute/process`. */
    guessCounts: plain<number>("guess-count"),
    familiarBrowsers: secret<FamiliarBrowserRow>("familiar-browser"),
    /** Changes by administrators, by `time/random`, so that they are listed in their order. */
    adminChanges: plain<AdminChange>("admin-change"),
    /** The issuer that used the store last, as one row. */
    issuers: plain<string>("issuer"),
    /** A note that replaced secrets must be erased from the files of the store, as one row. */
    erasures: plain<string>(erasureNote.kind),
    /** What the clock showed latest, as one row. */
    clockNotes: plain<ClockNote>("clock-note"),
    /** Rows that only show that the store can be written, by process. */
    probes: plain<null>("probe"),
    /** Opens the tables of features, each kind of rows by one feature. */
    open: { plain, secret },
    batch,
    /** Writes rows in one round trip. Returns the result of its last call; true without one. */
    write: createWrite(batch),
    /** Milliseconds that our clock is ahead of the store's. */
    aheadOfStore: () => orUnavailable(() => aheadOf(store, now)),
    /** Deletes rows that expired before a time; by default now. */
    sweep: (limit?: number, before = now()) => orUnavailable(() => store.sweep(before, limit)),
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
