/** What is kept: a value that survives JSON, and two instants in milliseconds. */
export interface Row<T = unknown> {
  value: T;
  expiresAt: number;
  usedAt?: number;
}

export interface ListOptions {
  /** Only ids that sort after this one. */
  after?: string;
  limit?: number;
}

/**
 * Where rows are kept. A store knows no OAuth and no time: whoever asks says what "now" is.
 * Each method is atomic by itself, across every process that shares the store.
 */
export interface Store {
  /** What to call it in a message. */
  readonly name?: string;
  get(kind: string, id: string): Promise<Row | undefined>;
  put(kind: string, id: string, row: Row): Promise<void>;
  /** Writes only where no row stands. True to exactly one caller. */
  add(kind: string, id: string, row: Row): Promise<boolean>;
  /** Marks a row used and keeps it until `keepUntil`. True to exactly one caller, ever; false where no row stands. */
  consume(kind: string, id: string, at: number, keepUntil: number): Promise<boolean>;
  delete(kind: string, id: string): Promise<void>;
  /** In the order of their ids, compared code point by code point; expired and used rows are among them. */
  list(kind: string, options?: ListOptions): Promise<Array<[id: string, row: Row]>>;
  /** Deletes rows that expired before the given time, at most `limit` of them, and says how many. */
  sweep(before: number, limit?: number): Promise<number>;
  close(): Promise<void>;
}

export const defaultPage = 100;
export const defaultSweep = 1000;
