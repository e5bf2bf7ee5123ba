import type { Answer } from "./answers.ts";
import type { Credential } from "./credentials.ts";
import { type Actor, type ModelRun, wentWrong } from "./model_run.ts";
import type { Operation } from "./operation.ts";
import type { World } from "./world.ts";

/** Returns what is wrong with the answers of an operation, given what it ran beside. */
export function wrongAnswers(run: ModelRun, actor: Actor): string[] {
  const { operation, answers, writes } = actor;
  const expected = expectedOutcomes(run, actor);
  const wrong = answers.filter(({ outcome }) => !expected.has(outcome)).map(({ details }) =>
    `'${operation.name}' answered '${details}'.`
  );
  const changes = operation.isForeign && writes > 0 ? [`'${operation.name}' changed a row.`] : [];
  const isStuck = answers.length === 0 || answers.at(-1)?.outcome === "unavailable";
  return [...wrong, ...changes, ...isStuck ? [`'${operation.name}' could not be finished.`] : []];
}

/** Whether something in a run may have ended a credential. */
export function mayHaveEnded(run: ModelRun, credential: Credential): boolean {
  return run.actors.some((actor) =>
    (usesOf(actor) > 0 && mayEnd(actor.operation, credential)) ||
    (isSpentAgain(run, actor) && isOfSameAuthorization(run, actor.operation.spends, credential))
  ) || isTakenBack(run, credential.authorization);
}

/** Returns everything that was issued before and during a run. */
export function credentialsOf({ world, actors }: ModelRun): Credential[] {
  const answers = actors.flatMap((actor) => actor.answers);
  return [...world.credentials, ...answers.flatMap(({ issued }) => issued)];
}

/** Whether a credential was issued from the same authorization as one that is spent. */
export function isOfSameAuthorization(
  run: ModelRun,
  spent: string | undefined,
  { authorization }: Credential,
): boolean {
  const origin = credentialsOf(run).find(({ name }) => name === spent)?.authorization;
  return origin !== undefined && origin === authorization;
}

function expectedOutcomes(run: ModelRun, actor: Actor): Set<Answer["outcome"]> {
  const { operation } = actor;
  const expected = new Set<Answer["outcome"]>();
  if (operation.isForeign) expected.add("refused");
  if (!operation.isForeign || (operation.needs && isDisturbed(run, actor))) expected.add("done");
  // A repeated operation may find that it is done already; whether it is, the judge looks.
  if (isDisturbed(run, actor)) expected.add("refused");
  // A repeated operation may find that it is done already; whether it is, the judge looks.
  if (isRepeated(actor) && (operation.holds || mayEndNeedsOf(run.world, actor, actor))) {
    expected.add("refused");
  }
  if (isSpentAgain(run, actor)) expected.add("replayed").add("refused");
  if (operation.polls) expected.add("not allowed");
  if (isTakenBack(run, operation.polls?.authorization)) expected.add("refused");
  if (sharesLock(run, actor) || actor.hasFailed) expected.add("unavailable");
  return expected;
}

/** Whether an operation failed that allowed something: then it takes that back. */
function isTakenBack({ actors }: ModelRun, allowedBy: string | undefined): boolean {
  return actors.some(({ operation, hasFailed }) => hasFailed && operation.name === allowedBy);
}

/** Whether another operation may end what an operation needs. */
export function isDisturbed({ actors, world }: ModelRun, actor: Actor): boolean {
  return actors.some((other) => other !== actor && mayEndNeedsOf(world, actor, other));
}

function mayEndNeedsOf({ credentials }: World, actor: Actor, other: Actor): boolean {
  const { needs = [], polls } = actor.operation;
  const needed = credentials.filter(({ name }) => needs.includes(name));
  // A repeated poll has ended nothing, unless it got the tokens.
  if (polls && other !== actor) needed.push(polls);
  return needed.some((credential) => mayEnd(other.operation, credential));
}

/** Whether the credential of an operation may be used twice. */
function isSpentAgain({ actors }: ModelRun, { operation: { spends } }: Actor): boolean {
  const users = actors.filter(({ operation }) => operation.spends === spends);
  return spends !== undefined && users.reduce((sum, user) => sum + usesOf(user), 0) > 1;
}

/** How often an operation may have used what it uses up, also where its response was lost. */
function usesOf(actor: Actor): number {
  const uses = actor.answers.filter(({ outcome }) => outcome !== "not allowed").length;
  return wentWrong(actor) ? uses + 1 : uses;
}

function sharesLock({ actors }: ModelRun, actor: Actor): boolean {
  const { locks = [] } = actor.operation;
  return actors.some((other) =>
    other !== actor && other.operation.locks?.some((lock) => locks.includes(lock))
  );
}

function mayEnd(
  { ends, mayEnd, endsWhileItHolds, spends }: Operation,
  credential: Credential,
): boolean {
  return spends === credential.name || ends?.(credential) || mayEnd?.(credential) ||
    endsWhileItHolds?.(credential) || false;
}

function isRepeated(actor: Actor): boolean {
  return wentWrong(actor) || actor.answers.length > 1;
}
