import { LabError } from "../util/lab_error.ts";
import { hallpass, type HallpassOptions, portOf } from "./hallpass.ts";
import type { TestLab } from "./test_lab.ts";

/** Receives the error, or nothing if all went well, as `done` of a test runner does. */
export type ProviderCallback = (error?: Error) => void;

/** A lab for fixtures that do not wait for promises. It listens and closes as a server of Node. */
export interface Provider {
  /** The lab, with all that it can do. Throws a `LabError` unless it listens. */
  readonly lab: TestLab;
  /** The issuer identifier. Throws a `LabError` unless the lab listens. */
  readonly issuer: string;
  /**
   * Listens on a port of the loopback interface, or on a free one, and then calls back. Without a
   * callback, an error is thrown where the process can catch it.
   *
   * @throws {LabError} The port is invalid, or the lab listens already.
   */
  listen(port?: number, callback?: ProviderCallback): Provider;
  /** Listens on a free port, and then calls back. */
  listen(callback: ProviderCallback): Provider;
  /** Closes the lab, and then calls back. It can listen again after that. */
  close(callback?: ProviderCallback): Provider;
}

/**
 * Creates a lab for fixtures that do not wait for promises.
 *
 * @example
 * ```ts ignore
 * import { createProvider } from "@hallpass/hallpass/testing";
 *
 * const provider = createProvider({ signIn: "alice" });
 * before((done) => {
 *   provider.listen(3001, done);
 * });
 * after((done) => {
 *   provider.close(done);
 * });
 * ```
 */
export function createProvider(options: Omit<HallpassOptions, "listen"> = {}): Provider {
  let starting: Promise<TestLab> | undefined;
  let lab: TestLab | undefined;

  const open = async (port: number) => lab = await hallpass({ ...options, listen: { port } });

  const close = async () => {
    const opened = await starting?.catch(() => undefined);
    [starting, lab] = [undefined, undefined];
    await opened?.close();
  };

  const openedLab = () => {
    if (lab) return lab;
    throw new LabError("The provider does not listen. Wait for the callback of 'listen'.");
  };

  const provider: Provider = {
    get lab() {
      return openedLab();
    },
    get issuer() {
      return openedLab().issuer;
    },
    listen(first?: number | ProviderCallback, second?: ProviderCallback) {
      const [port, callback] = typeof first === "function" ? [0, first] : [first ?? 0, second];
      if (starting) throw new LabError("The provider listens already. Call 'close' first.");
      starting = open(portOf(port));
      starting.catch(() => starting = undefined);
      settle(starting, callback);
      return provider;
    },
    close(callback) {
      settle(close(), callback);
      return provider;
    },
  };
  return provider;
}

/** Calls back, outside of the promise: what the callback throws must reach the test runner. */
function settle(work: Promise<unknown>, callback: ProviderCallback | undefined): void {
  const fail = (error: Error) => {
    if (callback) return callback(error);
    throw error;
  };
  work.then(
    () => queueMicrotask(() => callback?.()),
    (error: Error) => queueMicrotask(() => fail(error)),
  );
}
