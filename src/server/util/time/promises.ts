/** A promise with the functions that settle it. */
export interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T | PromiseLike<T>): void;
  reject(reason: unknown): void;
}

/** Creates a promise that is settled from outside. Node 20 has no `Promise.withResolvers`. */
export function createDeferred<T>(): Deferred<T> {
  const deferred: Partial<Deferred<T>> = {};
  const promise = new Promise<T>((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  return { ...deferred as Deferred<T>, promise };
}

/** Wraps an async function so that it runs once. After a failure, the next call tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let promise: Promise<T> | undefined;
  return () =>
    promise ??= make().catch((cause) => {
      promise = undefined;
      throw cause;
    });
}

/** Whether a value is a promise. Some libraries replace the global `Promise` by their own. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as Partial<Promise<T>> | undefined)?.then === "function";
}

/** Waits for values, if any of them is a promise. */
export function allOf<T extends readonly unknown[] | []>(values: T): AllOf<T> | Promise<AllOf<T>> {
  return values.some(isPromise) ? Promise.all(values) : values as AllOf<T>;
}

type AllOf<T> = { -readonly [At in keyof T]: Awaited<T[At]> };

/** Waits for `work`, and rejects with `createError()` after the given number of milliseconds. */
export function withTimeout<T>(
  milliseconds: number,
  work: Promise<T>,
  createError: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(createError()), milliseconds);
    const stop = () => clearTimeout(timer);
    work.then(stop, stop);
    work.then(resolve, reject);
  });
}
