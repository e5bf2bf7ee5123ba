import type { CoreLab } from "../core/core_lab.ts";
import type { OpenedFeature } from "../feature.ts";
import type { LabParts } from "../handling/lab_parts.ts";

/** Creates the members of a lab that start and end it. */
export function createLifecycle(
  { server, tenants, waits }: LabParts,
  features: readonly OpenedFeature[],
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
      for (const tenant of tenants.all()) tenant.release();
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
  features: readonly OpenedFeature[],
  reopen: () => Promise<void>,
) {
  const { server, tenants, clock, seededBytes, settings, seen } = parts;
  return {
    async reset() {
      forget(parts, features);
      clock.reset();
      seededBytes?.restore();
      // Both begin before the first await, so a request that comes next is held up by the reset.
      await Promise.all([tenants.close(), server.reset()]);
      await reopen();
    },
    async capture() {
      await server.settled();
      const rows = await server.capture();
      const time = clock.capture();
      const randomness = seededBytes?.capture();
      const restoring = features.flatMap(({ state }) => state?.capture?.() ?? []);
      const given = settings.read();
      const seenBefore = [...seen];
      return async () => {
        forget(parts, features);
        clock.restore(time);
        seededBytes?.restore(randomness);
        for (const restore of restoring) restore();
        for (const [each] of seenBefore) seen.set(each, true);
        settings.restore(given);
        await server.restore(rows);
      };
    },
  } satisfies Partial<CoreLab>;
}

function forget(
  { settings, handsFree, forgetTest }: LabParts,
  features: readonly OpenedFeature[],
): void {
  settings.restore();
  forgetTest();
  handsFree.clear();
  for (const feature of features) feature.beforeClear?.();
  for (const { state } of features) state?.clear();
}
