/**
 * How long a test waits for another process, in milliseconds: it may have little of the machine.
 */
export const patience = 60_000;

/** Repeats an action until it succeeds. */
export async function eventually<T>(
  act: () => Promise<T>,
  limit: number = patience,
  interval = 20,
): Promise<T> {
  const end = performance.now() + limit;
  while (true) {
    try {
      return await act();
    } catch (cause) {
      if (performance.now() > end) throw cause;
      await new Promise((resolve) => setTimeout(resolve, interval));
    }
  }
}
