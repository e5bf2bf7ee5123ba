import type { Table } from "../../server/issuer/records/table.ts";
import type { Tenants } from "../core/core_lab.ts";
import type { DialectTranslator } from "../dialect/create_dialect.ts";
import type { RecordedFlows } from "../flows/text_diagram.ts";
import type { ClientDefaults, LabConfig } from "../lab_server/lab_config.ts";
import type { ReplaceableServer } from "../lab_server/replaceable_server.ts";
import type { ReplaceableSettings } from "../lab_server/replaceable_settings.ts";
import type { StartedFlow } from "../lab_server/started_flow.ts";
import type { LabProbe } from "../layers/probe.ts";
import type { LabEvents } from "../recording/lab_event.ts";
import type { LabRecord } from "../recording/lab_record.ts";
import type { HandsFree } from "../sign_in/hands_free.ts";
import type { RestorableClock } from "../util/clock.ts";
import type { SeededBytes } from "../util/seeded_bytes.ts";
import type { Waits } from "../util/waits.ts";
import type { LabMemory } from "./lab_memory.ts";

/** The parts of a lab. The server among them does not know the others: they wrap its `fetch`. */
export interface LabParts extends LabMemory {
  readonly issuer: string;
  /** Returns the URL or path below which browsers find the pages of the lab, if it is known. */
  readonly pagesUrl: () => string | undefined;
  /** Returns the current settings of the lab. */
  readonly config: () => LabConfig;
  readonly handsFree: HandsFree;
  /** What clients have that do not have their own settings. */
  readonly clientDefaults: ClientDefaults;
  readonly server: ReplaceableServer;
  /** What translates between the clients and the server; undefined if they speak the same. */
  readonly dialect: (() => Promise<DialectTranslator>) | undefined;
  /** The URL that the paths of the dialect are below. */
  readonly base: string;
  readonly events: LabEvents;
  readonly clock: RestorableClock;
  readonly waits: Waits;
  readonly record: LabRecord;
  /** What watches the lab, if anything does. */
  readonly probe: LabProbe | undefined;
  readonly settings: ReplaceableSettings;
  /**
   * Returns the leniencies that are on, by their names; those of every lab once they had effect.
   */
  readonly leniencies: () => readonly string[];
  readonly tenants: Tenants;
  /** Replaces the randomness of the server, if the lab has a seed. */
  readonly seededBytes: SeededBytes | undefined;
  /** The flows that the lab started itself, by their state. */
  readonly startedFlows: Table<StartedFlow>;
  /** Forgets the test: what it did, changed and chose. */
  readonly forgetTest: () => void;
}

/** Returns everything that was recorded, as diagrams read it. */
export function recordedIn({ issuer, recorder, timeline }: LabParts): RecordedFlows {
  return { issuer, exchanges: recorder.all(), flows: timeline.list() };
}
