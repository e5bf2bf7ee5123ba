type Fetch = typeof globalThis.fetch;

/** The global fetch, as long as it is ours. */
export interface Intercepted {
  /** Puts the global fetch back. */
  restore(): void;
  /** The same, at the end of a `using`. */
  [Symbol.dispose](): void;
}

/** Takes over what the global fetch is asked of some origins; everything else goes where it went before. */
export function intercept(origins: readonly string[], answer: (request: Request) => Promise<Response>): Intercepted {
  const before = globalThis.fetch;
  const ours: Fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    return URL.canParse(url) && origins.includes(new URL(url).origin) ? await answer(new Request(input, init)) : await before(input, init);
  };
  globalThis.fetch = ours;
  const restore = () => {
    if (globalThis.fetch === ours) globalThis.fetch = before;
  };
  return { restore, [Symbol.dispose]: restore };
}
