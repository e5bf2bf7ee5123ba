/** Does one piece of work. The signal aborts when another piece has failed. */
type Work<Item> = (item: Item, job: number, signal: AbortSignal) => Promise<void>;

/**
 * Works on all items, several at a time. If one fails, the others end at once, and the error is
 * thrown as soon as they have.
 */
export async function inJobs<Item>(
  jobs: number,
  items: readonly Item[],
  signal: AbortSignal,
  work: Work<Item>,
): Promise<void> {
  const queue = [...items];
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const runJob = async (job: number) => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      await work(item, job, either);
    }
  };
  const failures: unknown[] = [];
  const running = Array.from(
    { length: Math.min(jobs, items.length) },
    (_, at) =>
      runJob(at + 1).catch((cause) => {
        failures.push(cause);
        stop.abort(cause);
      }),
  );
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
}
