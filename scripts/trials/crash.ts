import { present } from "../../tests/support/present.ts";
import { launchProgram } from "../../tests/support/program.ts";
import { createLedger, findLosses, type Ledger, type LoadOptions, sendLoad } from "./load.ts";
import { isAfter, type Random } from "./numbers.ts";
import { commandOn } from "./process.ts";
import { type TrialServer, withServer, writeTrialConfig } from "./server.ts";
import { type OpenStore, type Pair, trialStores } from "./stores.ts";
import { countAlike, type Trial, type TrialReport } from "./trial.ts";
import { createTrialUser, type TrialUser } from "./user.ts";

/** How crashes are repeated. */
export interface CrashOptions {
  rounds: number;
  random: Random;
  /** How long a primary lives without its replica, in milliseconds. */
  alone?: number;
}

/** A server with its store, in one round. */
interface Scene<Store> {
  server: TrialServer;
  store: Store;
  ledger: Ledger;
  options: CrashOptions;
  /** Sends load until it is over. */
  load(isOver: () => boolean): Promise<void>;
}

/** What happens to a server or to its store under load, until the server serves again. */
interface Disturbance<Store> {
  title: string;
  skip: string | false;
  open(folder: string): Promise<Store>;
  disturb(scene: Scene<Store>): Promise<unknown>;
  /** Whether each round needs a new store. */
  endsStore?: boolean;
  /** Whether losses are figures, and no problems. */
  mayLose?: boolean;
}

/** How many chains of requests run at once. */
const workers = 4;

/** More connections than a server has to its store. */
const connections = 16;

/** How many responses are acknowledged before the replica is cut off, and after a switchover. */
const enough = 40;

/** A server that only reads may notice so late that its store is a replica, in milliseconds. */
const noticed = 2_500;

/** The longest life of a server that is killed during its first start, in milliseconds. */
const maxFirstStart = 1500;

/** How long a server may need to reconnect to its store, in milliseconds: slow machines exist. */
const reconnectTimeout = 60_000;

/** Kills servers and stores again and again, and looks each time for what was acknowledged. */
export function killTrials(options: CrashOptions): Trial[] {
  return trialStores.flatMap(({ name, missing: skip, open, openPair }) => {
    const openUsed = async (folder: string) => {
      const store = await open(folder);
      await killFirstStarts(store, folder, options);
      return store;
    };
    const kills = [
      { title: "the server is killed under load", open, disturb: killServer },
      { title: "the server is killed during its first start", open: openUsed, disturb: sendEnough },
      ...openPair ? [{ title: "the store is killed under load", open, disturb: killStore }] : [],
    ];
    return kills.map(({ title, ...kill }) =>
      trialOf({ ...kill, title: `${name}: ${title}`, skip }, options)
    );
  });
}

/** The kinds of failovers: the store, its settings, what happens to it, and whether it may lose. */
const failovers: ReadonlyArray<[string, string, typeof cutOff, boolean, ...string[]]> = [
  ["PostgreSQL", "asynchronous", cutOff, true],
  ["PostgreSQL", "synchronous_standby_names '*'", cutOff, false, "synchronous_standby_names=*"],
  ["PostgreSQL", "switchover", switchOver, false],
  ["Redis", "min-replicas-to-write 0", cutOff, true],
  ["Redis", "min-replicas-to-write 1", cutOff, false, "--min-replicas-to-write", "1"],
  // The server must notice by itself: a replica that takes writes loses them.
  ["Redis", "switchover", switchOver, false, "--replica-read-only", "no"],
];

/** Lets replicas take over under load, and looks for what of all that was acknowledged is undone. */
export function failoverTrials(options: CrashOptions): Trial[] {
  return failovers.map(([name, kind, disturb, mayLose, ...settings]) => {
    const { missing: skip, openPair } = present(trialStores.find((store) => store.name === name));
    const title = `${name}: failover, ${kind}`;
    const open = () => present(openPair)(...settings);
    return trialOf({ title, skip, open, disturb, mayLose, endsStore: true }, options);
  });
}

/** Lets a user send load until it is over. */
export async function loadBy(user: TrialUser, options: LoadOptions): Promise<void> {
  await sendLoad(Array.from({ length: workers }, () => user), options);
}

function trialOf<Store extends OpenStore>(
  { title, skip, open, disturb, endsStore = false, mayLose = false }: Disturbance<Store>,
  options: CrashOptions,
): Trial {
  const { rounds, random } = options;

  async function run(folder: string): Promise<TrialReport> {
    const losses: string[] = [];
    let acknowledged = 0;
    for (let round = 0; round < rounds;) {
      const store = await open(folder);
      const place = { command: await commandOn("deno"), store: store.url, folder };
      await withServer(place, async (server) => {
        const user = createTrialUser(server.kit());
        await user.signIn();
        const keys = new Set<string>();
        do {
          for (const key of await user.keys()) keys.add(key);
          const ledger = createLedger(keys);
          const load = (isOver: () => boolean) => loadBy(user, { ledger, random, isOver });
          await disturb({ server, store, ledger, options, load });
          losses.push(...await findLosses(user, ledger), ...tooManyKeys(await user.keys()));
          acknowledged += ledger.acknowledged;
        } while (++round < rounds && !endsStore);
      });
    }
    const sums = `${acknowledged} acknowledged responses, ${losses.length} losses`;
    const alike = countAlike(losses);
    return {
      figures: [`${rounds} rounds, ${sums}`, ...mayLose ? alike : []],
      problems: [
        ...acknowledged > 0 ? [] : ["Nothing was acknowledged."],
        ...mayLose ? [] : alike,
      ],
    };
  }

  return { title, skip, run };
}

/** There is one key of each algorithm: none was rotated. */
function tooManyKeys(keys: readonly string[]): string[] {
  const algs = new Set(keys.map((key) => key.split(" ")[0]));
  return keys.length > algs.size ? [`Too many signing keys: ${keys.join(", ")}.`] : [];
}

/** Kills servers while they start for the first time. The next start must find a usable store. */
async function killFirstStarts(
  store: OpenStore,
  folder: string,
  { rounds, random }: CrashOptions,
): Promise<void> {
  const file = await writeTrialConfig(folder, { store: store.url });
  for (let round = 0; round < rounds; round++) {
    const starting = launchProgram(["serve", "--config", file]);
    const timer = setTimeout(() => starting.kill("SIGKILL"), random() * maxFirstStart);
    await starting.exitCode;
    clearTimeout(timer);
  }
}

async function sendEnough({ load, ledger }: Scene<OpenStore>): Promise<void> {
  await load(() => ledger.acknowledged >= enough);
}

async function killServer(scene: Scene<OpenStore>): Promise<void> {
  const { server } = scene;
  await killUnderLoad(scene, () => server.stop("SIGKILL"));
  await server.start();
}

/** Kills the store's own process. The server stays, and goes on by itself. */
async function killStore(scene: Scene<OpenStore>): Promise<void> {
  const { server, store } = scene;
  await killUnderLoad(scene, async () => await store.kill?.());
  await store.start?.();
  await untilHealthy(server);
}

/** Kills something right after one of the responses. */
async function killUnderLoad(
  { ledger, load, options: { random } }: Scene<OpenStore>,
  kill: () => Promise<unknown>,
): Promise<void> {
  const last = 1 + Math.floor(random() * 60);
  let killed: Promise<unknown> | undefined;
  await load(() => {
    if (ledger.acknowledged >= last) killed ??= kill();
    return killed !== undefined;
  });
  await killed;
}

/** Cuts a replica off, and promotes it some time later, when its primary is dead. */
async function cutOff(scene: Scene<Pair>): Promise<void> {
  const { store, load, options: { alone = 0 } } = scene;
  await sendEnough(scene);
  await store.cutOff();
  await load(isAfter(alone));
  await store.kill();
  await store.promote();
  await startAnew(scene);
}

/** Lets a primary become a replica whose connections stay. */
async function switchOver(scene: Scene<Pair>): Promise<void> {
  const { server, store, ledger, load } = scene;
  await sendEnough(scene);
  await store.switchOver();
  for (const isNoticed = isAfter(noticed); !isNoticed();) await untilHealthy(server);
  await load(() => ledger.acknowledged >= 2 * enough);
  await startAnew(scene);
}

/** Lets another server find what the new primary has. */
async function startAnew({ server }: Scene<Pair>): Promise<void> {
  await untilHealthy(server);
  await server.stop("SIGKILL");
  await server.start();
}

/**
 * Waits until a server has found its store again: an unknown interaction is looked up there, on every
 * connection that it has.
 */
async function untilHealthy(server: TrialServer): Promise<void> {
  const kit = server.kit();
  const isTooLate = isAfter(reconnectTimeout);
  const lookUp = () => kit.get("/oauth2/interaction/unknown");
  const areRefused = async () =>
    (await Promise.all(Array.from({ length: connections }, lookUp)))
      .some(({ status }) => status >= 500);
  while (await areRefused()) {
    if (isTooLate()) throw new Error("The server does not find its store again.");
  }
}
