import { launchProgram } from "../../tests/support/program.ts";
import { createLedger, findLosses } from "../trials/ledger.ts";
import { sendLoad } from "../trials/load.ts";
import type { Random } from "../trials/numbers.ts";
import { commandOn } from "../trials/runtimes.ts";
import { countAlike, type TrialReport } from "../trials/trial.ts";
import { lastingIssuer } from "../trials/trial_process.ts";
import { startTrialServer, type TrialServer, writeTrialConfig } from "../trials/trial_server.ts";
import type { OpenStore } from "../trials/trial_stores.ts";
import { createTrialUser, type TrialUser } from "../trials/trial_user.ts";

export interface CrashOptions {
  rounds: number;
  random: Random;
  folder: string;
}

/** What is killed, and how the server serves again. */
interface Crash {
  kill(): Promise<unknown>;
  heal(): Promise<unknown>;
}

/** How many chains of requests run at once. */
const workers = 4;

/** The longest life of a server that is killed during its first start, in milliseconds. */
const maxFirstStart = 1500;

/** How long a server may need to reconnect to its store, in milliseconds: slow machines exist. */
const reconnectTimeout = 60_000;

/** Kills a server under load again and again, and looks each time for what it acknowledged. */
export async function killServer(store: OpenStore, options: CrashOptions): Promise<TrialReport> {
  return await crashUnderLoad(store, options, (server) => ({
    kill: () => server.stop("SIGKILL"),
    heal: () => server.start(),
  }));
}

/** Kills the store's own process under load. The server stays, and goes on by itself. */
export async function killStore(store: OpenStore, options: CrashOptions): Promise<TrialReport> {
  return await crashUnderLoad(store, options, (server) => ({
    kill: async () => await store.process?.kill(),
    async heal() {
      await store.process?.start();
      await untilHealthy(server);
    },
  }));
}

/** Kills servers while they start for the first time. The next start must find a usable store. */
export async function killFirstStart(
  store: OpenStore,
  { rounds, random, folder }: CrashOptions,
): Promise<TrialReport> {
  const file = await writeTrialConfig(folder, { store: store.url });
  for (let round = 0; round < rounds; round++) {
    const starting = launchProgram(["serve", "--config", file]);
    const timer = setTimeout(() => starting.kill("SIGKILL"), random() * maxFirstStart);
    await starting.exitCode;
    clearTimeout(timer);
  }
  return await withServer(store, folder, async (_, user) => {
    const keys = await user.keys();
    const algs = new Set(keys.map((key) => key.split(" ")[0]));
    const tooMany = keys.length > algs.size ? [`Too many signing keys: ${keys.join(", ")}.`] : [];
    const losses = await findLosses(user, createLedger(keys));
    return { figures: [`${rounds} rounds`], problems: [...tooMany, ...losses] };
  });
}

/** Starts a server that keeps its issuer, and calls a function with it and a user. */
export async function withServer<T>(
  { url: store }: OpenStore,
  folder: string,
  act: (server: TrialServer, user: TrialUser) => Promise<T>,
  wrap: readonly string[] = [],
): Promise<T> {
  const command = [...wrap, ...await commandOn("deno")];
  const config = { issuer: lastingIssuer };
  const server = await startTrialServer({ command, store, folder, config });
  try {
    const user = createTrialUser(server.kit());
    await user.signIn();
    return await act(server, user);
  } finally {
    await server.stop("SIGKILL");
  }
}

/** Lets a user send load until it is over. */
export async function loadBy(
  user: TrialUser,
  ledger: ReturnType<typeof createLedger>,
  { random, isOver }: { random: Random; isOver: () => boolean },
): Promise<void> {
  await sendLoad(Array.from({ length: workers }, () => user), { ledger, random, isOver });
}

/**
 * Waits until the server has reconnected to its store: an unknown interaction is looked up there.
 */
export async function untilHealthy(server: TrialServer): Promise<void> {
  const kit = server.kit();
  const end = performance.now() + reconnectTimeout;
  while ((await kit.get("/oauth2/interaction/unknown")).status >= 500) {
    if (performance.now() > end) throw new Error("The server does not find its store again.");
  }
}

async function crashUnderLoad(
  store: OpenStore,
  { rounds, random, folder }: CrashOptions,
  crashOf: (server: TrialServer) => Crash,
): Promise<TrialReport> {
  return await withServer(store, folder, async (server, user) => {
    const crash = crashOf(server);
    let acknowledged = 0;
    const losses: string[] = [];
    const keys = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      for (const key of await user.keys()) keys.add(key);
      const ledger = createLedger(keys);
      const last = 1 + Math.floor(random() * 60);
      let killed: Promise<unknown> | undefined;
      // Right after one of the responses.
      const isOver = () => {
        if (ledger.acknowledged >= last) killed ??= crash.kill();
        return killed !== undefined;
      };
      await loadBy(user, ledger, { random, isOver });
      await killed;
      await crash.heal();
      losses.push(...await findLosses(user, ledger));
      acknowledged += ledger.acknowledged;
    }
    return {
      figures: [
        `${rounds} rounds, ${acknowledged} acknowledged responses, ${losses.length} losses`,
      ],
      problems: acknowledged > 0 ? countAlike(losses) : ["Nothing was acknowledged."],
    };
  });
}
