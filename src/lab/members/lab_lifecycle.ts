import type { CoreLab } from "../core/core_lab.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import type { OpenedFeature } from "../handling/opened_feature.ts";

/** Creates the members of a lab that start, reset, restore and end it. */
export function createLifecycle(
  parts: LabParts,
  opened: readonly OpenedFeature[],
  labOf: () => CoreLab,
) {
  const { server, tenants, waits, clock, seededBytes, settings, memory } = parts;
  const closeListeners = new Set<() => void>();
  const states = opened.flatMap(({ state = [] }) => state);

  function forget(): void {
    settings.remember();
    for (const part of memory) part.clear();
    for (const feature of opened) feature.beforeClear?.();
    for (const state of states) state.clear();
  }

  async function openConfiguredTenants(): Promise<void> {
    for (const feature of parts.features) await feature.openTenants?.(labOf(), parts.config());
  }

  async function close(): Promise<void> {
    waits.close();
    for (const listener of closeListeners) listener();
    for (const feature of opened) feature.beforeClear?.();
    // What the server still sends has the faults of the test.
    await server.current().context.background.idle();
    for (const state of states) state.clear();
    await tenants.close();
    await server.current().close();
  }

  return {
    openConfiguredTenants,
    async ready() {
      await server.settled();
      await server.current().ready();
    },
    async reset() {
      forget();
      clock.reset();
      seededBytes?.restore();
      // Both begin before the first await, so a request that comes next is held up by the reset.
      await Promise.all([tenants.close(), server.reset()]);
      await openConfiguredTenants();
    },
    async capture() {
      await server.settled();
      const rows = await server.capture();
      const time = clock.capture();
      const randomness = seededBytes?.capture();
      const restoring = [...memory, ...states].flatMap((each) => each.capture?.() ?? []);
      const given = settings.read();
      return async () => {
        forget();
        clock.restore(time);
        seededBytes?.restore(randomness);
        for (const restore of restoring) restore();
        settings.remember(given);
        await server.restore(rows);
      };
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
