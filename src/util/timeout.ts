/** Waits so many milliseconds for some work; after that, nobody waits for it any longer. */
export async function withTimeout<T>(
  milliseconds: number,
  work: Promise<T>,
  tooLate: () => Error,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) =>
    timer = setTimeout(() => reject(tooLate()), milliseconds)
  );
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
