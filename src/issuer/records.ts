import { sha256 } from "../protocol/digest.ts";
import { OAuthError } from "../protocol/oauth_error.ts";
import type { Client } from "../protocol/client.ts";
import type { AuthorizationRequest } from "../protocol/authorization_request.ts";
import type { Row, Store } from "../store/store.ts";
import type { Authorization, Code, Consent, Interaction, KeyRow, OpaqueToken, RefreshToken, Session, User } from "./rows.ts";

/** For rows that end only when somebody ends them: the last instant of a `Date`. */
export const forever = 8.64e15;

/** A row as it is seen here: present, or not there at all. */
export interface Entry<T> {
  value: T;
  expiresAt: number;
  usedAt?: number;
}

/** The rows of one kind. Instants are milliseconds; what has expired does not exist. */
export interface Table<T> {
  get(id: string): Promise<Entry<T> | undefined>;
  put(id: string, value: T, expiresAt: number): Promise<void>;
  /** True to exactly one caller. */
  add(id: string, value: T, expiresAt: number): Promise<boolean>;
  /** True to exactly one caller; the row stays as a tombstone until then. */
  consume(id: string, keepUntil: number): Promise<boolean>;
  delete(id: string): Promise<void>;
  /** All rows whose id begins so. Of kinds with secret ids only all of them can be listed. */
  list(prefix?: string): Promise<Array<[id: string, value: T]>>;
}

/** Every kind of row there is. */
export interface Records {
  authorizations: Table<Authorization>;
  /** The authorizations of each person: `name/id`. */
  authorizationsOf: Table<null>;
  codes: Table<Code>;
  refreshTokens: Table<RefreshToken>;
  opaqueTokens: Table<OpaqueToken>;
  /** Access tokens that were revoked alone, by their `jti`. */
  revokedTokens: Table<null>;
  sessions: Table<Session>;
  /** Sessions that somebody signed out of, by their `sid`. */
  endedSessions: Table<null>;
  interactions: Table<Interaction>;
  /** Authorization requests that came by POST and wait for the GET that follows. */
  keptRequests: Table<AuthorizationRequest>;
  /** `user/client`. */
  consents: Table<Consent>;
  clients: Table<Client>;
  users: Table<User>;
  keys: Table<KeyRow>;
  sweep(limit?: number): Promise<number>;
  close(): Promise<void>;
}

/** Puts types and time on top of a store; an id that is a bearer secret is stored as its SHA-256 alone. */
export function createRecords(store: Store, now: () => number): Records {
  const plain = <T>(kind: string) => plainTable<T>(store, kind, now);
  const secret = <T>(kind: string) => secretTable<T>(store, kind, now);
  return {
    authorizations: plain("authorization"),
    authorizationsOf: plain("authorization-of"),
    codes: secret("code"),
    refreshTokens: secret("refresh-token"),
    opaqueTokens: secret("access-token"),
    revokedTokens: plain("revoked-token"),
    sessions: secret("session"),
    endedSessions: plain("ended-session"),
    interactions: secret("interaction"),
    keptRequests: secret("kept-request"),
    consents: plain("consent"),
    clients: plain("client"),
    users: plain("user"),
    keys: plain("key"),
    sweep: (limit) => available(store.sweep(now(), limit)),
    close: () => store.close(),
  };
}

/** A table whose ids may be read. */
export function plainTable<T>(store: Store, kind: string, now: () => number): Table<T> {
  return createTable(store, kind, now, (id) => id);
}

/** A table whose ids are bearer secrets: they are stored as their SHA-256 alone. */
export function secretTable<T>(store: Store, kind: string, now: () => number): Table<T> {
  return createTable(store, kind, now, sha256);
}

function createTable<T>(store: Store, kind: string, now: () => number, idOf: (id: string) => string | Promise<string>): Table<T> {
  return {
    get: async (id) => live<T>(await available(store.get(kind, await idOf(id))), now()),
    put: async (id, value, expiresAt) => available(store.put(kind, await idOf(id), { value, expiresAt })),
    add: async (id, value, expiresAt) => available(store.add(kind, await idOf(id), { value, expiresAt })),
    consume: async (id, keepUntil) => available(store.consume(kind, await idOf(id), now(), keepUntil)),
    delete: async (id) => available(store.delete(kind, await idOf(id))),
    list: async (prefix = "") => {
      const found: Array<[string, T]> = [];
      for await (const [id, row] of rowsFrom(store, kind, prefix)) {
        if (!id.startsWith(prefix)) break;
        const entry = live<T>(row, now());
        if (entry) found.push([id, entry.value]);
      }
      return found;
    },
  };
}

async function* rowsFrom(store: Store, kind: string, start: string): AsyncGenerator<[string, Row]> {
  let after = start;
  while (true) {
    const page = await available(store.list(kind, { after }));
    if (page.length === 0) return;
    yield* page;
    after = page[page.length - 1][0];
  }
}

function live<T>(row: Row | undefined, now: number): Entry<T> | undefined {
  return row && row.expiresAt > now ? row as Entry<T> : undefined;
}

/** A store that fails is no fault of the client: it may try again, and nothing is claimed to have been done. */
async function available<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new OAuthError("temporarily_unavailable", "The server cannot reach its storage; try again in a moment.", {
      headers: { "Retry-After": "5" },
      cause,
    });
  }
}
