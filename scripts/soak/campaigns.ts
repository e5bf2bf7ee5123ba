import { joinReports, type TrialReport } from "../trials/trial.ts";
import {
  startTrialServer,
  type TrialServer,
  type TrialServerOptions,
} from "../trials/trial_server.ts";
import { type AttackOptions, type AttackStrength, measureAttack } from "./attack.ts";
import { connectionAttacks, withOpenFiles } from "./connection_attacks.ts";
import { floods } from "./floods.ts";
import { fillCaches, prepareRounds, reportRounds, type Round } from "./growth.ts";
import { measureOverload, type OverloadOptions } from "./overload.ts";

/** How many rounds of load there are. */
const loadRounds = 12;

/** How long the round is that looks for what was acknowledged, in milliseconds. */
const judgedDuration = 1_000;

/** Sends mixed load, and looks for what it leaves behind. */
export async function soakWithLoad(
  server: TrialServerOptions,
  minutes: number,
): Promise<TrialReport> {
  return await withServer(server, async (soaked) => {
    const users = { withSession: 6, withEveryFlow: 2 };
    const runRound = await prepareRounds(soaked, server.store, users);
    await fillCaches(soaked);
    const done: Round[] = [];
    while (done.length < loadRounds) done.push(await runRound(minutes * 60_000 / loadRounds));
    done.push(await runRound(judgedDuration, { isJudged: true }));
    return reportRounds(done, soaked.statuses);
  });
}

/** Attacks a server in every way, each beside an honest user. */
export async function soakWithAttacks(
  server: TrialServerOptions,
  strength: Partial<AttackStrength>,
  options: Partial<AttackOptions> = {},
): Promise<TrialReport> {
  const command = withOpenFiles(server.command);
  const config = { clientMetadataDocuments: true };
  return await withServer({ ...server, command, config }, async (soaked) => {
    const reports: TrialReport[] = [];
    for (const attack of [...floods, ...connectionAttacks]) {
      reports.push(
        await measureAttack(soaked, attack, {
          rounds: 3,
          counts: { flows: 20, signIns: 5 },
          isBusy: false,
          ...options,
          strength: { perSecond: 100, connections: 10_000, untilEnded: true, ...strength },
        }),
      );
    }
    return joinReports(reports);
  });
}

/** Sends a server more than it can handle, in every way. */
export async function soakWithOverload(
  server: TrialServerOptions,
  options: Partial<OverloadOptions> = {},
): Promise<TrialReport> {
  const command = withOpenFiles(server.command);
  return await withServer({ ...server, command }, (soaked) =>
    measureOverload(soaked, {
      duration: 8_000,
      saturating: 64,
      connections: [1_000, 5_000],
      isBusy: false,
      ...options,
    }));
}

async function withServer(
  options: TrialServerOptions,
  soak: (server: TrialServer) => Promise<TrialReport>,
): Promise<TrialReport> {
  const server = await startTrialServer(options);
  let code: number | null = null;
  let report: TrialReport;
  try {
    report = await soak(server);
  } finally {
    code = await server.stop();
  }
  const crash = code === 0 ? [] : [`The server has ended with exit code ${code}.`];
  return joinReports([report, { figures: [], problems: crash }]);
}
