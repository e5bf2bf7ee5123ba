import { setImmediate } from "node:timers";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Store } from "../../src/server/store/store.ts";
import { startOfTime } from "../support/kit.ts";
import { type Answer, brokenAnswer } from "./answers.ts";
import type { Choice, Fault } from "./choices.ts";
import type { Run } from "./explore.ts";
import type { Operation } from "./operation.ts";
import { createNode, type ModelClock, type ServerNode } from "./server_node.ts";
import { createGate, type Gate, responseKind, type WaitingCall } from "./store_calls.ts";
import { fillStore, type World } from "./world.ts";

/** Operations that run at the same time, each in a process of its own. */
export interface Scenario {
  operations: readonly Operation[];
  /** What may go wrong, once, at any call or before the response. Default: nothing. */
  faults?: readonly Fault[] | undefined;
  /** Whether the response of the first one is lost, so that its caller repeats it. */
  isFirstRepeated?: boolean;
  /** Opens an empty store. Default: in memory, without batches, whose calls are steps then. */
  openStore?: (() => Store | Promise<Store>) | undefined;
  /** Breaks an operation by its calls, for tests of the model. */
  breakStore?: ((store: Store, operation: Operation) => Store) | undefined;
}

/** An operation of a run. */
export interface Actor {
  operation: Operation;
  /** What it answered, lost responses included. */
  answers: Answer[];
  isDone: boolean;
  hasDied: boolean;
  /** Whether one of its calls failed. */
  hasFailed: boolean;
  /** How many of its calls were writes. */
  writes: number;
}

/** A run of the real program, which a schedule moves from one call of the store to the next. */
export interface ModelRun extends Run {
  scenario: Scenario;
  world: World;
  store: Store;
  clock: ModelClock;
  actors: readonly Actor[];
}

/** Starts every operation, and lets each of them come to its first call. */
export async function startRun(scenario: Scenario, world: World): Promise<ModelRun> {
  const { openStore = withoutBatches, operations, faults = [] } = scenario;
  const store = await openStore();
  await fillStore(world, store);
  const clock = { now: startOfTime };
  const gate = createGate();
  const actors = operations.map((operation): Actor => ({
    operation,
    answers: [],
    isDone: false,
    hasDied: false,
    hasFailed: false,
    writes: 0,
  }));
  actors.forEach((actor, at) => {
    const waiting = gate.storeOf(at, store);
    const view = scenario.breakStore?.(waiting, actor.operation) ?? waiting;
    const node = createNode(view, clock, world.settings, `${at}`);
    const times = scenario.isFirstRepeated && at === 0 ? 2 : 1;
    const respond = async () => faults.length > 0 ? await gate.respond(at) : undefined;
    act(actor, { node, world, times, respond });
  });
  await untilAllWait(gate, actors);
  return {
    ...{ scenario, world, store, clock, actors },
    choices: () => choicesOf(gate, actors.some(wentWrong) ? [] : faults),
    async take(choice) {
      const actor = actors[choice.actor];
      if (actor) await takeStep(gate, actor, choice);
      await untilAllWait(gate, actors);
    },
  };
}

/** All that can happen between the calls of a batch happens between single calls. */
function withoutBatches(): Store {
  return { ...memoryStore() };
}

/** How an operation runs. */
interface ActOptions {
  node: ServerNode;
  world: World;
  times: number;
  /** Waits until the response may reach the caller. */
  respond(): Promise<void>;
}

async function act(actor: Actor, { node, world, times, respond }: ActOptions): Promise<void> {
  for (let time = 0; time < times; time++) {
    const answer = await actor.operation.run(node, world).catch(brokenAnswer);
    await node.server.context.background.idle();
    await respond();
    actor.answers.push(answer);
  }
  actor.isDone = true;
}

/** Whether something has gone wrong with an operation. */
export function wentWrong({ hasDied, hasFailed }: Actor): boolean {
  return hasDied || hasFailed;
}

async function takeStep(
  gate: Gate,
  actor: Actor,
  { key, actor: at, fault }: Choice,
): Promise<void> {
  if (fault === "dies") {
    actor.hasDied = true;
    return gate.abandon(at);
  }
  actor.hasFailed ||= fault !== undefined;
  const call = gate.waiting.find((waiting) => choiceOf(waiting, fault).key === key);
  if (call?.access.writes && fault !== "fails") actor.writes++;
  await call?.happen(fault);
}

function choicesOf({ waiting }: Gate, faults: readonly Fault[]): Choice[] {
  // The later a late call happens, the more it can undo.
  const inOrder = [...waiting].sort((one, other) => Number(!!one.isLate) - Number(!!other.isLate));
  const calls = inOrder.map((call) => choiceOf(call));
  return [...calls, ...faults.flatMap((fault) => faultyChoices(waiting, fault))];
}

function faultyChoices(waiting: readonly WaitingCall[], fault: Fault): Choice[] {
  if (fault === "dies") {
    const actors = new Set(waiting.map(({ actor }) => actor));
    return [...actors].map((actor) => ({ actor, key: `${actor} dies`, fault }));
  }
  const calls = waiting.filter(({ access }) => access.kind !== responseKind);
  const affected = fault === "is late" ? calls.filter(({ access }) => access.writes) : calls;
  return affected.map((call) => choiceOf(call, fault));
}

/** Returns the step in which a call happens, or goes wrong. */
function choiceOf({ actor, key, access, isLate }: WaitingCall, fault?: Fault): Choice {
  if (fault === undefined) return { actor, key, access, isLate };
  const touched = fault === "is lost" ? { access } : {};
  return { actor, key: `${key} ${fault}`, fault, ...touched };
}

/** Waits until every operation has ended, or waits for the store with all that it does at once. */
async function untilAllWait(gate: Gate, actors: readonly Actor[]): Promise<void> {
  const isWaiting = (at: number) =>
    gate.waiting.some(({ actor, isLate }) => actor === at && !isLate);
  const isSettled = () =>
    actors.every(({ isDone, hasDied }, at) => isDone || hasDied || isWaiting(at));
  let arrivals = -1;
  while (!isSettled() || arrivals !== gate.arrivals) {
    arrivals = gate.arrivals;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
