/** What is kept: a value that survives JSON, and two instants in milliseconds. */
export interface Row<T = unknown> {
  /** The value; it survives JSON. */
  value: T;
  /** When the row expires, in milliseconds since the epoch. */
  expiresAt: number;
  /** When the row was consumed, in milliseconds since the epoch. */
  usedAt?: number;
}

/** Which rows of a kind to list. */
export interface ListOptions {
  /** Only ids that sort after this one. */
  after?: string;
  /**
   * The number of rows to return at most.
   *
   * @default 100
   */
  limit?: number;
}

/**
 * Where rows are kept. A store knows no OAuth and no time: whoever asks says what "now" is.
 * Each method is atomic by itself, across every process that shares the store.
 */
export interface Store {
  /** What to call it in a message. */
  readonly name?: string;
  /** Reads a row, even one that has expired or was consumed. */
  get(kind: string, id: string): Promise<Row | undefined>;
  /** Writes a row, in place of one with the same kind and id. */
  put(kind: string, id: string, row: Row): Promise<void>;
  /** Writes only where no row stands. True to exactly one caller. */
  add(kind: string, id: string, row: Row): Promise<boolean>;
  /** Marks a row used and keeps it until `keepUntil`. True to exactly one caller, ever; false where no row stands. */
  consume(kind: string, id: string, at: number, keepUntil: number): Promise<boolean>;
  /** Deletes a row; does nothing if there is none. */
  delete(kind: string, id: string): Promise<void>;
  /** In the order of their ids, compared code point by code point; expired and used rows are among them. */
  list(kind: string, options?: ListOptions): Promise<Array<[id: string, row: Row]>>;
  /** Deletes rows that expired before the given time, at most `limit` of them, and says how many. */
  sweep(before: number, limit?: number): Promise<number>;
  /** Releases what the store holds, after pending writes. */
  close(): Promise<void>;
}

export const defaultPage = 100;
export const defaultSweep = 1000;
