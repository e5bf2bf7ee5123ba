export const defaultPage = 100;
export const defaultSweep = 1000;

/** How long an id may be, in bytes of UTF-8: PostgreSQL can index no more than 2,700. */
export const maxIdBytes = 2000;

/** The row which says that replaced secrets are still to be erased from the files of a store. */
export const erasureNote = { kind: "erasure", id: "due" } as const;

/** A stored value and its state. */
export interface Row<T = unknown> {
  /** The value. It must survive JSON. */
  value: T;
  /** When the row expires, in milliseconds since the epoch. */
  expiresAt: number;
  /** When the row was consumed, in milliseconds since the epoch. */
  usedAt?: number;
}

/** Which rows of a kind to list. */
export interface ListOptions {
  /** Return only ids that sort after this one. */
  after?: string | undefined;
  /** Return only ids that sort before this one. */
  before?: string | undefined;
  /**
   * The maximum number of rows.
   *
   * @default 100
   */
  limit?: number | undefined;
}

/** The condition on which a row is written. */
export interface PutCondition {
  /**
   * The row as it was read. The new row is written only if the stored one is unchanged: its value,
   * compared as JSON, its expiry and its use.
   */
  replaces?: Row | undefined;
}

/**
 * Stores rows. A store knows neither OAuth nor the current time: its caller passes "now". Each
 * method is atomic, across all processes that share the store. An id has up to 2,000 bytes of UTF-8.
 */
export interface Store {
  /** The name of the store, for messages. */
  readonly name?: string;
  /** What the operator should know about the store, as sentences. `hallpass serve` prints them. */
  readonly warnings?: readonly string[];
  /** Reads a row, even if it has expired or was consumed. */
  get(kind: string, id: string): Promise<Row | undefined>;
  /**
   * Writes a row, and replaces one with the same kind and id. Returns false if the condition does
   * not hold, and true otherwise.
   */
  put(kind: string, id: string, row: Row, condition?: PutCondition): Promise<boolean>;
  /** Writes a row unless one exists. Returns true to exactly one caller. */
  add(kind: string, id: string, row: Row): Promise<boolean>;
  /**
   * Marks a row as used and keeps it until `keepUntil`. Returns true to exactly one caller, ever,
   * and false if the row does not exist.
   */
  consume(kind: string, id: string, at: number, keepUntil: number): Promise<boolean>;
  /** Deletes a row if it exists. */
  delete(kind: string, id: string): Promise<void>;
  /** Lists rows by id, in the order of code points. Expired and used rows are included. */
  list(kind: string, options?: ListOptions): Promise<Array<[id: string, row: Row]>>;
  /** Deletes up to `limit` rows that expired before the given time, and returns how many. */
  sweep(before: number, limit?: number): Promise<number>;
  /**
   * Makes calls in order in one round trip, each as if the one before it had returned, and returns
   * their results. Each call is atomic. The whole need not be: others may call the store in between,
   * and if one call fails, those before it may have been made. What a call wrote is visible to all
   * when a later one reads: of two batches that each write a row and then read that of the other, one
   * finds it. Optional: without it, the server makes the calls itself. A wrapper that changes a
   * method must change `batch`, too, or leave it out.
   */
  batch?(calls: readonly BatchedCall[]): Promise<BatchedResult[]>;
  /**
   * Returns the time of the store's own clock, in milliseconds. A server whose clock differs does
   * not sweep. Optional for a store that a single process uses.
   */
  now?(): Promise<number>;
  /** Returns how large the store is, for metrics. Optional. */
  size?(): Promise<StoreSize>;
  /** Throws if other processes would not see what is written here, for a probe. Optional. */
  check?(): Promise<void>;
  /**
   * Removes what was replaced or deleted from the files of the store. Rejects if that is impossible
   * because others read it. Optional.
   */
  erase?(): Promise<void>;
  /** Finishes pending writes and releases all resources. */
  close(): Promise<void>;
}

/** The methods that a batch can call. */
export type BatchedMethod = "get" | "put" | "add" | "consume" | "delete" | "list";

/** A call of a store: the name of the method, and its arguments. */
export type BatchedCall = {
  [Method in BatchedMethod]: [method: Method, ...args: Parameters<Store[Method]>];
}[BatchedMethod];

/** What a call of a store returns. */
export type BatchedResult = Awaited<ReturnType<Store[BatchedMethod]>>;

/** How large a store is, by what it can count cheaply. */
export interface StoreSize {
  /** The number of rows. */
  rows?: number;
  /** What it takes up on the disk, in bytes. */
  bytes?: number;
}

/** The surrogates, and the code units after them. */
const highCodeUnits = /[\ud800-\uffff]/;

/**
 * Compares like the UTF-8 bytes of a SQL database. JavaScript's own order, which is much faster, is
 * wrong only between a surrogate and a code unit after the surrogates.
 */
export function byCodePoint(a: string, b: string): number {
  if (a === b) return 0;
  // Only saves time: the comparison of sort keys is right for all texts.
  if (!highCodeUnits.test(a) || !highCodeUnits.test(b)) return a < b ? -1 : 1;
  return sortKey(a) < sortKey(b) ? -1 : 1;
}

/** Moves surrogates after all other code units, because their characters sort last. */
function sortKey(text: string): string {
  return text.replace(new RegExp(highCodeUnits, "g"), (unit) => {
    const distance = unit < "\ue000" ? 0x2000 : -0x800;
    return String.fromCharCode(unit.charCodeAt(0) + distance);
  });
}
