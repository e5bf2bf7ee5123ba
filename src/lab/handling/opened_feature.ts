import type { OutboundFetch } from "../../server/http/outbound_fetch.ts";
import type { LabRemarks } from "../core/remarks.ts";
import type { CoreLabConfig } from "../lab_server/core_lab_config.ts";
import type { LabHooks } from "../lab_server/create_server.ts";
import type { RequestLayers } from "../layers/layer.ts";
import type { OnForget } from "../recording/examination_schedule.ts";

/**
 * A feature of one lab. Some members are for one feature only: without them, the core would have to
 * name that feature, which could then not be deleted.
 */
export interface OpenedFeature<Tools extends object = object, Internals extends object = object> {
  /** What a test can do with it. */
  readonly tools?: Tools;
  /** What the pages, the program and other features also need. */
  readonly internals?: Internals;
  readonly layers?: RequestLayers;
  /** Called before features forget a test, while each still remembers it. */
  beforeClear?(): void;
  /** Returns what it adds to a report. */
  remarks?(): Partial<LabRemarks>;
  /** It also begins with what the settings name: at the start of a lab, at a reset and at its end. */
  readonly state?: TestState;
  /** Called with the kind and the id of each row that the server writes: few rows are kept. */
  onWrite?(kind: string, id: string): void;
  /**
   * Called before recorded requests are forgotten: at a reset and the like, and before the oldest
   * make room for newer ones, then for many at a time and in steps.
   */
  onForget?: OnForget;
  /** Returns its hooks in the server of a lab that has these settings at its start. */
  serverHooks?(config: CoreLabConfig): LabHooks;
  /**
   * Returns a fetch with what it does to the requests that the server sends: they pass no layer.
   */
  outbound?(send: OutboundFetch): OutboundFetch;
}

/** What a part or a feature of a lab remembers of a test. */
export interface TestState {
  /** Forgets it: at a reset, and before a lab returns to a snapshot. */
  clear(): void;
  /** Returns a function that restores it as it is now. Without this, a snapshot leaves it out. */
  capture?(): () => void;
}
