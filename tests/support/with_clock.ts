/**
 * Runs a function with a clock that only `advance` moves, by milliseconds: `setTimeout` and
 * `performance.now` follow it.
 */
export async function withClock(
  act: (advance: (by: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  const { setTimeout, clearTimeout } = globalThis;
  const { now } = performance;
  const timers = new Map<number, { at: number; end: () => void }>();
  let time = 0;
  let created = 0;
  const settle = () => new Promise<void>((resolve) => void setTimeout(resolve));
  const advance = async (by: number) => {
    time += by;
    for (const [id, { at, end }] of timers) {
      if (at <= time && timers.delete(id)) end();
    }
    await settle();
  };
  const after = (end: () => void, by: number) => {
    timers.set(++created, { at: time + by, end });
    return created;
  };
  Object.assign(globalThis, { setTimeout: after, clearTimeout: (id: number) => timers.delete(id) });
  performance.now = () => time;
  await act(advance).finally(() => {
    Object.assign(globalThis, { setTimeout, clearTimeout });
    performance.now = now;
  });
}
