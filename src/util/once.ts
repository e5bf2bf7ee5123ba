/** Runs at the first call, and gives every other call the same result. A failure is forgotten, so that the next call tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    made ??= make().catch((cause) => {
      made = undefined;
      throw cause;
    });
}
