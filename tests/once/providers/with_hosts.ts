import type { TestLab } from "../../../src/lab/testing/mod.ts";

/**
 * Sends requests of the global `fetch` for the hosts of a provider to a lab. A library that has
 * these hosts in its code needs no other change.
 */
export function withHosts(lab: TestLab, origins: readonly string[]): Disposable {
  const original = globalThis.fetch;
  const { origin: own } = new URL(lab.issuer);
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const origin = origins.find((each) => request.url.startsWith(`${each}/`));
    if (origin === undefined) return await original(request);
    return await lab.fetch(new Request(own + request.url.slice(origin.length), request));
  };
  return { [Symbol.dispose]: () => void (globalThis.fetch = original) };
}
