/** What a test can do to return to an earlier state. */
export interface SnapshotTools {
  /**
   * Remembers the users, the clients, the clock and everything stored: sessions, consents, tokens,
   * keys. Returns the id of the snapshot.
   */
  snapshot(): Promise<string>;
  /**
   * Returns to a snapshot, as often as a test likes. It removes faults, hooks, queued responses and
   * records, and resets hands-free sign-in; tenants stay.
   *
   * @throws {LabError} There is no such snapshot.
   */
  restore(snapshot: string): Promise<void>;
}
