import { measureGrowth } from "./growth.ts";
import { measureAttacks, measureOverload } from "./overload.ts";
import { startTrialServer, type TrialServer, type TrialServerOptions } from "./server.ts";
import { storeUrl } from "./stores.ts";
import type { Trial, TrialReport } from "./trial.ts";

/** How servers are kept busy. */
export interface SoakOptions {
  minutes: number;
  stores: readonly string[];
  /** How many connections an attack holds. */
  connections: number;
  /** Whether other programs decide how long anyone waits. */
  isBusy: boolean;
}

/**
 * Returns the trials of a runtime: mixed load with flat memory, attacks beside which an honest user
 * is served, and more than a server can handle.
 */
export function soakTrials(
  runtime: string,
  command: readonly string[],
  { minutes, stores, connections: idle, isBusy }: SoakOptions,
): Trial[] {
  const connections = [idle, 1_000, 5_000] as const;
  const attacks = { duration: 8_000, connections, untilEnded: true, isBusy };
  const onStore = (
    title: string,
    name: string,
    measure: (server: TrialServer, store: string) => Promise<TrialReport>,
  ): Trial => ({
    title,
    run(folder) {
      const store = storeUrl(name, folder);
      return soak({ command, folder, store }, (server) => measure(server, store));
    },
  });
  return [
    ...stores.map((name) =>
      onStore(
        `${runtime}, ${name}: mixed load`,
        name,
        (server, store) => measureGrowth(server, store, minutes),
      )
    ),
    onStore(`${runtime}: attacks`, "memory", (server) => measureAttacks(server, attacks)),
    onStore(`${runtime}: overload`, "memory", (server) => measureOverload(server, attacks)),
  ];
}

/** Keeps a server busy, which must end well afterwards. */
export async function soak(
  options: TrialServerOptions,
  measure: (server: TrialServer) => Promise<TrialReport>,
): Promise<TrialReport> {
  const server = await startTrialServer(options);
  const [measured] = await Promise.allSettled([measure(server)]);
  const code = await server.stop();
  if (measured.status === "rejected") throw measured.reason;
  const { figures, problems } = measured.value;
  const crashes = code === 0 ? [] : [`The server has ended with exit code ${code}.`];
  return { figures, problems: [...problems, ...crashes] };
}
