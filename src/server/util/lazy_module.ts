import { once } from "./time/promises.ts";

/** The functions of a module that loads late. Each returns a promise. */
export type LazyModule<Module> = {
  readonly [Name in keyof Module]: Module[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/**
 * Returns the functions of a module that loads with the first call of one of them, so that a route
 * can name a function of code that most servers never run.
 */
export function lazyModule<Module extends object>(load: () => Promise<Module>): LazyModule<Module> {
  const loadOnce = once(load);
  return new Proxy({} as LazyModule<Module>, {
    get: (_, name) => async (...args: unknown[]) => {
      const module = await loadOnce();
      const run = module[name as keyof Module] as (...args: unknown[]) => unknown;
      return await run(...args);
    },
  });
}
