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
  { minutes, stores, connections, isBusy }: SoakOptions,
): Trial[] {
  const counts = { flows: 20, signIns: 5 };
  const attack = { connections, untilEnded: true, rounds: 3, counts, isBusy };
  const overload = { duration: 8_000, connections: [1_000, 5_000], isBusy };
  const config = { clientMetadataDocuments: true };
  const inMemory = (folder: string) => ({ command, folder, store: "memory" });
  return [
    ...stores.map((name): Trial => ({
      title: `${runtime}, ${name}: mixed load`,
      run(folder) {
        const store = storeUrl(name, folder);
        const options = { command, folder, store };
        return soak(options, (server) => measureGrowth(server, store, minutes));
      },
    })),
    {
      title: `${runtime}: attacks`,
      run: (folder) =>
        soak({ ...inMemory(folder), config }, (server) => measureAttacks(server, attack)),
    },
    {
      title: `${runtime}: overload`,
      run: (folder) => soak(inMemory(folder), (server) => measureOverload(server, overload)),
    },
  ];
}

/** Keeps a server busy, which must end well afterwards. */
export async function soak(
  options: TrialServerOptions,
  measure: (server: TrialServer) => Promise<TrialReport>,
): Promise<TrialReport> {
  const server = await startTrialServer(options);
  let code: number | null = null;
  let report: TrialReport;
  try {
    report = await measure(server);
  } finally {
    code = await server.stop();
  }
  if (code === 0) return report;
  const crash = `The server has ended with exit code ${code}.`;
  return { ...report, problems: [...report.problems, crash] };
}
