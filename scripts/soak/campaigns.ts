import type { AttackStrength } from "./attack.ts";
import { type AttackOptions, measureAttack } from "./attack_rounds.ts";
import { connectionAttacks } from "./connection_attacks.ts";
import { floods } from "./floods.ts";
import { createMixedLoad, fillCaches, type LoadUsers } from "./mixed_load.ts";
import { withOpenFiles } from "./open_files.ts";
import { type Round, runRound } from "./rounds.ts";
import { reportAttack, reportRounds, type SoakReport } from "./soak_report.ts";
import { type SoakedServer, type SoakedServerOptions, startSoakedServer } from "./soaked_server.ts";

/** How a soak with mixed load is run. */
export interface LoadOptions {
  minutes: number;
  rounds?: number;
  users?: LoadUsers;
}

/** The load of many users comes from few networks. */
const loadBudgets = { registrationsPerMinute: 1_000_000, storedBytesPerMinute: 1_000_000_000 };

/** Sends mixed load, and looks for what it leaves behind. */
export async function soakWithLoad(
  server: SoakedServerOptions,
  { minutes, rounds = 12, users = { withSession: 6, withEveryFlow: 2 } }: LoadOptions,
): Promise<SoakReport> {
  return await withServer({ ...server, config: loadBudgets }, async (soaked) => {
    const send = createMixedLoad(soaked, users);
    await fillCaches(soaked);
    const duration = minutes * 60_000 / rounds;
    const done: Round[] = [];
    while (done.length < rounds) {
      done.push(await runRound(soaked, send, { duration, store: server.store }));
    }
    return reportRounds(done, soaked.statuses);
  });
}

/** Attacks a server in every way, each beside an honest user. */
export async function soakWithAttacks(
  server: SoakedServerOptions,
  strength: Partial<AttackStrength>,
  options: Partial<AttackOptions> & { isBusy?: boolean } = {},
): Promise<SoakReport> {
  const { isBusy = false, ...measurement } = options;
  const command = withOpenFiles(server.command);
  const config = { clientMetadataDocuments: true };
  return await withServer({ ...server, command, config }, async (soaked) => {
    const reports: SoakReport[] = [];
    for (const attack of [...floods, ...connectionAttacks]) {
      const report = await measureAttack(soaked, attack, {
        rounds: 3,
        counts: { flows: 20, signIns: 5 },
        ...measurement,
        strength: { perSecond: 100, connections: 10_000, untilEnded: true, ...strength },
      });
      reports.push(reportAttack(report, isBusy));
    }
    return join(reports);
  });
}

async function withServer(
  options: SoakedServerOptions,
  soak: (server: SoakedServer) => Promise<SoakReport>,
): Promise<SoakReport> {
  const server = await startSoakedServer(options);
  let code: number | null = null;
  let report: SoakReport;
  try {
    report = await soak(server);
  } finally {
    code = await server.stop();
  }
  const crash = code === 0 ? [] : [`The server has ended with exit code ${code}.`];
  return join([report, { figures: [], problems: crash }]);
}

function join(reports: readonly SoakReport[]): SoakReport {
  return {
    figures: reports.flatMap(({ figures }) => figures),
    problems: reports.flatMap(({ problems }) => problems),
  };
}
