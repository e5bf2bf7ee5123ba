import type { Settings } from "../../server/config/settings.ts";
import type { ClaimTarget } from "../../server/model/claims.ts";
import type { Client } from "../../server/model/client.ts";

/** What is the same for every claim of an evaluation. */
export interface EvaluationFacts {
  settings: Settings;
  client: Client;
  /** The names in the parameter `claims`. */
  named: (target: ClaimTarget) => readonly string[];
  /** Why a scope that was requested is not granted. */
  dropped: ReadonlyMap<string, string>;
}
