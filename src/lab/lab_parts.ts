import { memoryStore } from "../store/memory.ts";
import { createClock, type LabClock } from "./clock.ts";
import { createFaults, type Faults } from "./faults/faults.ts";
import type { Tenants } from "./lab.ts";
import { createLabEvents, type LabEvents } from "./lab_event.ts";
import type { LabConfig } from "./lab_server.ts";
import { createRecorder, type Recorder } from "./recording/recorder.ts";
import { createTimeline, type Timeline } from "./recording/timeline.ts";
import { createReplaceableServer, type ReplaceableServer } from "./replaceable_server.ts";
import { createWaits, type Waits } from "./waits.ts";

/** The parts of a lab. The server among them does not know the others: they wrap its `fetch`. */
export interface LabParts {
  readonly issuer: string;
  readonly signInByHint: boolean;
  readonly server: ReplaceableServer;
  readonly tenants: Tenants;
  readonly events: LabEvents;
  readonly clock: LabClock;
  readonly waits: Waits;
  readonly recorder: Recorder;
  readonly timeline: Timeline;
  readonly faults: Faults;
  /** Maps a refresh token that a client got to the one that the server knows. */
  readonly aliases: Map<string, string>;
}

export function createLabParts(
  { signInByHint = false, onLabEvent, ...config }: LabConfig,
  tenants: Tenants,
): LabParts {
  const events = createLabEvents({ onEvent: config.onEvent, onLabEvent });
  const clock = createClock(config.now, emitClock);
  const server = createReplaceableServer({
    ...config,
    store: config.store ?? memoryStore(),
    now: clock.now,
    onEvent: events.emitServerEvent,
  });

  function emitClock(): void {
    const now = new Date(clock.now()).toISOString();
    events.emitLabEvent({ type: "clock.moved", now, frozen: clock.frozen });
  }

  return {
    issuer: config.issuer,
    signInByHint,
    server,
    tenants,
    events,
    clock,
    waits: createWaits(),
    recorder: createRecorder(),
    timeline: createTimeline(config.issuer),
    faults: createFaults(),
    aliases: new Map(),
  };
}
