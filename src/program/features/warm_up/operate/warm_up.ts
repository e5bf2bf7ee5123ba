import type { Companion } from "../../../operate/companion.ts";

/** How many flows are made: the next 200 take two thirds of the time that they would take. */
const flowCount = 300;

/** How long a server is ready before the first, in milliseconds: many tests have ended by then. */
const delay = 2_000;

/** Time, in milliseconds. Tests replace it. */
interface WarmUpTiming {
  now(): number;
  /** Resolves later. */
  pause(milliseconds: number): Promise<void>;
}

const systemTiming: WarmUpTiming = {
  now: () => performance.now(),
  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/**
 * Makes flows at a server of its own once a server is ready: runtimes interpret code that is new to
 * them, so its first users would wait three times as long as later ones.
 */
export const warmUp: Companion = ({ running }) => {
  const { alg } = running.server.context.settings;
  // A key of RSA takes long to make, and its signatures are made outside our code.
  const quickAlg = alg === "ES256" ? alg : "EdDSA";
  void makeFlows(async () => (await import("./sample_flow.ts")).createSampleFlow(quickAlg));
};

/**
 * Makes flows, and rests after each for as long as it took, so that requests come in between. If one
 * fails, it makes no others: they only save time.
 */
export async function makeFlows(
  open: () => Promise<() => Promise<unknown>>,
  { now, pause }: WarmUpTiming = systemTiming,
): Promise<void> {
  await pause(delay);
  try {
    const flow = await open();
    for (let count = 0; count < flowCount; count++) {
      const begun = now();
      await flow();
      await pause(now() - begun);
    }
  } catch {
    // The first requests are slower, as they would be without this.
  }
}
