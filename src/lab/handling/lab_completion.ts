import type { OutboundFetch } from "../../server/http/outbound_fetch.ts";
import type { CoreLab } from "../core/core_lab.ts";
import type { LabConfig } from "../lab_server/lab_config.ts";

/** Completes the settings of a lab. */
export type CompleteSettings = (config: LabConfig) => LabConfig;

/** What a feature makes of a whole lab whose settings ask for it. */
export interface LabCompletion {
  /** Loads what completes the settings of the lab; undefined if they do not ask for it. */
  loadCompletion(given: Partial<LabConfig>): Promise<CompleteSettings | undefined>;
  /** Returns a fetch with what it does to the requests that the server of the lab sends. */
  outbound(send: OutboundFetch, lab: CoreLab): OutboundFetch;
  /** Opens what the lab has beside itself. */
  open(lab: CoreLab, config: LabConfig): Promise<void>;
}
