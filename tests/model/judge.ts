import { AdminError } from "../../src/server/issuer/records/lock.ts";
import { userValues } from "../../src/server/issuer/users/claim_rows.ts";
import { findUsersBy } from "../../src/server/issuer/users/find_users.ts";
import { isActive } from "./activity.ts";
import { type Credential, isIssued } from "./credentials.ts";
import {
  credentialsOf,
  isDisturbed,
  isOfSameAuthorization,
  mayHaveEnded,
  wrongAnswers,
} from "./expectations.ts";
import { type Actor, type ModelRun, wentWrong } from "./model_run.ts";
import { createNode, type ServerNode } from "./server_node.ts";

/** A run at its end, after everything that was half done was repeated. */
interface EndedRun {
  run: ModelRun;
  /** A server that has started afterwards. */
  node: ServerNode;
  /** Everything that was issued before and during the run. */
  credentials: readonly Credential[];
  /** The operations that were finished, and whether what each of them was asked for is so. */
  done: ReadonlyMap<Actor, { holds: boolean }>;
}

/** How long a lock lasts at most that was not released, in milliseconds. */
const lockEnd = 60 * 1000;

/** Finishes what was half done, and returns what is wrong after a run. */
export async function judge(run: ModelRun): Promise<string[]> {
  const { actors, clock } = run;
  if (actors.some(wentWrong)) clock.now += lockEnd;
  for (const actor of actors) if (isUnfinished(actor)) await repeat(run, actor);
  const ended = await endRun(run);
  return [
    ...actors.flatMap((actor) => wrongAnswers(run, actor)),
    ...spentTwice(run),
    ...await wrongCredentials(ended),
    ...lostEffects(ended),
    ...await lostUsers(ended),
    ...await revived(ended),
  ];
}

/** Whether the caller has no answer, or was asked to try again. */
function isUnfinished({ answers, hasDied, isDone }: Actor): boolean {
  return (hasDied && !isDone) || answers.at(-1)?.outcome === "unavailable";
}

/** Runs an operation again, on a server that has just started. */
async function repeat(run: ModelRun, actor: Actor): Promise<void> {
  const { store, clock, world } = run;
  const node = createNode(store, clock, world.settings, `again ${run.actors.indexOf(actor)}`);
  actor.answers.push(await actor.operation.run(node, world));
  await node.server.context.background.idle();
}

async function endRun(run: ModelRun): Promise<EndedRun> {
  const { store, clock, world, actors } = run;
  const node = createNode(store, clock, world.settings, "judge");
  const done = new Map<Actor, { holds: boolean }>();
  for (const actor of actors) {
    const holds = await actor.operation.holds?.(node, world) ?? false;
    const isDone = actor.answers.some(({ outcome }) => outcome === "done");
    // A repeated operation may have found that it was done already.
    const wasDone = wentWrong(actor) && holds && !isDisturbed(run, actor);
    if (isDone || wasDone) done.set(actor, { holds });
  }
  return { run, node, done, credentials: credentialsOf(run) };
}

/** A credential is spent at most once. Within the grace, a refresh token has one successor. */
function spentTwice({ actors, world: { settings } }: ModelRun): string[] {
  const spent = new Set(actors.map(({ operation }) => operation.spends));
  return [...spent].flatMap((name) => {
    if (name === undefined) return [];
    const answers = actors.filter(({ operation }) => operation.spends === name)
      .flatMap(({ answers }) => answers.filter(({ outcome }) => outcome === "done"));
    const successors = answers.map(({ issued }) => issued.at(-1)?.value);
    const uses = settings.grace ? new Set(successors).size : answers.length;
    return uses > 1 ? [`The ${name} was spent ${uses} times.`] : [];
  });
}

/** What has ended is inactive, and what was acknowledged stays. */
async function wrongCredentials(ended: EndedRun): Promise<string[]> {
  const problems: string[] = [];
  for (const credential of ended.credentials) {
    const active = await isActive(ended.node, credential);
    if (active && hasEnded(ended, credential)) {
      problems.push(`The ${credential.name} is active, and should have ended.`);
    }
    if (!active && !mayHaveEnded(ended.run, credential)) {
      problems.push(`The ${credential.name} has ended, and nothing should have ended it.`);
    }
  }
  return problems;
}

function hasEnded({ run, done }: EndedRun, credential: Credential): boolean {
  const isReplayed = run.actors.some(({ operation: { spends }, answers }) =>
    answers.some(({ outcome }) => outcome === "replayed") &&
    isOfSameAuthorization(run, spends, credential)
  );
  return isReplayed ||
    [...done].some(([{ operation }, { holds }]) =>
      operation.spends === credential.name ||
      operation.ends?.(credential) ||
      (holds && operation.endsWhileItHolds?.(credential))
    );
}

/** What an operation was asked for is so, unless another one undoes it. */
function lostEffects({ run, done }: EndedRun): string[] {
  return run.actors.flatMap((actor) => {
    const { name, holds, undoneBy = [] } = actor.operation;
    const isUndone = run.actors.some(({ operation }) => undoneBy.includes(operation.name));
    const wasFinished = done.has(actor) || (wentWrong(actor) && !isDisturbed(run, actor));
    return holds && !isUndone && wasFinished && !done.get(actor)?.holds
      ? [`'${name}' was finished, and is not so.`]
      : [];
  });
}

/** Each user of the store is found by the address, and by the subject. */
async function lostUsers({ node: { server: { context } } }: EndedRun): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, user] of await context.records.users.list()) {
    for (const [key, value] of userValues(user)) {
      const found = await findUsersBy(context, key, value);
      if (found.length !== 1) {
        problems.push(`The ${key} of ${name} leads to ${found.length} users.`);
      }
    }
  }
  return problems;
}

/** Enabling, or adding a name again, brings nothing back. */
async function revived(ended: EndedRun): Promise<string[]> {
  const { node, done, credentials } = ended;
  const gone = credentials.filter((credential) =>
    isIssued(credential) && hasEnded(ended, credential)
  );
  for (const [{ operation }, { holds }] of done) {
    if (holds) await operation.revive?.(node).catch(ignoreRefusal);
  }
  const problems: string[] = [];
  for (const credential of gone) {
    if (await isActive(node, credential)) problems.push(`The ${credential.name} has come back.`);
  }
  return problems;
}

/** What was removed cannot be enabled. */
function ignoreRefusal(cause: unknown): void {
  if (!(cause instanceof AdminError)) throw cause;
}
