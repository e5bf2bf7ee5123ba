import type { ClientConfig } from "../../../server/features.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { Exchange } from "../../recording/exchange.ts";
import type { Replay } from "./compare_exchanges.ts";
import type { ReplayChanges } from "./replay_changes.ts";

/** What a test can do to send a request again. */
export interface ReplayTools {
  /**
   * Sends a recorded request again, with changes, to the lab as it was when it got the request, and
   * compares both: what they send, what came, and which rules differ. `lab.replay(7, { parameters:
   * { redirect_uri: "https://other.example" } })`. The lab keeps only the record: what it issued is
   * not valid, and no report counts it. With `now: true`, the request goes to the lab as it is.
   *
   * @throws {LabError} There is no such request, a change is invalid, or the lab cannot make it.
   */
  replay(request: number, changes?: ReplayChanges): Promise<Replay>;
}

/** What the pages need beside it. */
export interface ReplayInternals {
  /** Returns the lab around all others: this one, unless it is a tenant. */
  outermost(): CoreLab;
  /**
   * Returns the clients that the lab had when it got a request.
   *
   * @throws {LabError} The lab has forgotten what it was like.
   */
  clientsAt(exchange: Exchange): readonly ClientConfig[];
}

/** A lab that sends requests again. */
export type ReplayingLab = CoreLab & ReplayInternals;
