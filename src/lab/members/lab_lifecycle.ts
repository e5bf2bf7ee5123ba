import type { CoreLab } from "../core/core_lab.ts";
import type { OpenFeature } from "../feature.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import type { ServerSnapshot } from "../lab_server/live_server.ts";
import type { ChangeableSettings } from "../lab_server/replaceable_settings.ts";
import type { ClockState } from "../util/clock.ts";

/** What a lab returns to. */
interface LabSnapshot {
  server: ServerSnapshot;
  clock: ClockState;
  /** The state of the generator, if the lab has a seed. */
  randomness: number | undefined;
  /** Return to what the features remembered. */
  features: ReadonlyArray<() => void>;
  settings: ChangeableSettings;
  /** What the dialect remembers of users. */
  seen: ReadonlyMap<string, true>;
}

/** Creates the members of a lab that start and end it. */
export function createLifecycle(
  { server, tenants, waits }: LabParts,
  features: readonly OpenFeature[],
) {
  const closeListeners = new Set<() => void>();

  async function close(): Promise<void> {
    waits.close();
    for (const listener of closeListeners) listener();
    for (const feature of features) feature.beforeClear?.();
    // What the server still sends has the faults of the test.
    await server.current().context.background.idle();
    for (const { state } of features) state?.clear();
    await tenants.close();
    await server.current().close();
  }

  return {
    async ready() {
      await server.settled();
      await server.current().ready();
    },
    onRelease: waits.onRelease,
    release() {
      waits.release();
      for (const id of tenants.ids()) tenants.find(id).release();
    },
    onClose(listener) {
      closeListeners.add(listener);
      return () => void closeListeners.delete(listener);
    },
    close,
    [Symbol.asyncDispose]: close,
  } satisfies Partial<CoreLab>;
}

/** Creates what returns a lab to its start, or to how it was. `reopen` opens what a reset closed. */
export function createLabStates(
  parts: LabParts,
  features: readonly OpenFeature[],
  reopen: () => Promise<void>,
): Pick<CoreLab, "capture" | "reset"> {
  const { server } = parts;
  return {
    async reset() {
      forget(parts, features);
      await returnToStart(parts);
      await reopen();
    },
    async capture() {
      await server.settled();
      const snapshot = await capture(parts, features);
      return async () => {
        forget(parts, features);
        await returnTo(snapshot, parts);
      };
    },
  };
}

function forget(
  { settings, handsFree, forgetTest }: LabParts,
  features: readonly OpenFeature[],
): void {
  settings.restore();
  forgetTest();
  handsFree.clear();
  for (const feature of features) feature.beforeClear?.();
  for (const { state } of features) state?.clear();
}

async function returnToStart(
  { server, tenants, clock, seededBytes }: LabParts,
): Promise<void> {
  clock.reset();
  seededBytes?.restore();
  // Both begin before the first await, so a request that comes next is held up by the reset.
  await Promise.all([tenants.close(), server.reset()]);
}

async function capture(
  { server, clock, seededBytes, settings, seen }: LabParts,
  features: readonly OpenFeature[],
): Promise<LabSnapshot> {
  return {
    server: await server.capture(),
    clock: clock.capture(),
    randomness: seededBytes?.capture(),
    features: features.flatMap(({ state }) => state?.capture?.() ?? []),
    settings: settings.read(),
    seen: new Map(seen),
  };
}

async function returnTo(
  snapshot: LabSnapshot,
  { server, clock, seededBytes, settings, seen }: LabParts,
): Promise<void> {
  clock.restore(snapshot.clock);
  seededBytes?.restore(snapshot.randomness);
  for (const restore of snapshot.features) restore();
  for (const [each] of snapshot.seen) seen.set(each, true);
  settings.restore(snapshot.settings);
  await server.restore(snapshot.server);
}
