import type { CoreLab } from "../core/core_lab.ts";
import type { OpenFeature } from "../feature.ts";
import type { LabParts } from "../handling/lab_parts.ts";

/** Creates the members of a lab that start and end it. */
export function createLifecycle(
  { server, tenants, waits }: LabParts,
  features: readonly OpenFeature[],
) {
  const closeListeners = new Set<() => void>();

  async function close(): Promise<void> {
    waits.close();
    for (const listener of closeListeners) listener();
    keepApis(features);
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

/** Lets features keep what a lab found out about APIs, before it forgets that. */
export function keepApis(features: readonly OpenFeature[]): void {
  const apis = features.flatMap(({ remarks }) => remarks?.().apis ?? []);
  for (const feature of features) feature.keepApis?.(apis);
}
