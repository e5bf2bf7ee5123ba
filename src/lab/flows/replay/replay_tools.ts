import type { Replay } from "./compare_exchanges.ts";
import type { ReplayChanges } from "./replay_changes.ts";

/** What a test can do to send a request again. */
export interface ReplayTools {
  /**
   * Sends a recorded request again, with changes, and compares both: what they send, what came, and
   * which rules differ. `lab.replay(7, { parameters: { redirect_uri: "https://other.example" },
   * fresh: true })`. The report is about clients, and does not count replays.
   *
   * @throws {LabError} There is no such request, a change is invalid, or the lab cannot make it.
   */
  replay(request: number, changes?: ReplayChanges): Promise<Replay>;
}
