/** What a test can do to return to an earlier state. */
export interface SnapshotTools {
  /**
   * Remembers the users, the clients, the clock and everything stored: sessions, consents, tokens,
   * keys. Returns the id of the snapshot.
   */
  snapshot(): Promise<string>;
  /**
   * Returns to a snapshot, as often as a test likes. Faults, hooks, queued responses and records
   * are removed, and hands-free sign-in is as configured; tenants stay.
   *
   * @throws {LabError} There is no such snapshot.
   */
  restore(snapshot: string): Promise<void>;
}
