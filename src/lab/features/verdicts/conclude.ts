/** What one attempt showed. Only `conclude` makes a verdict of it. */
export interface DrillAttempt {
  shows: "right" | "wrong" | "nothing";
  /** Why it shows nothing, in one sentence. */
  skipped?: string | undefined;
  /** Whether it shows it by a failure, which counts only where the same steps succeed otherwise. */
  byFailure?: boolean | undefined;
  /** Whether another attempt may show something else. */
  isUnsure?: boolean | undefined;
}

/** How something is tried. */
export interface Trial<Seen extends DrillAttempt> {
  /** Makes one attempt in a new login. A second attempt gets what the first one found as `before`. */
  attempt(before?: Seen): Promise<Seen>;
  /** Does the same without what is tried. Returns what shows that it succeeded, if it did. */
  control(): Promise<string | undefined>;
  /** Returns what shows that it succeeded a moment ago. */
  recent?(): string | undefined;
}

/** What a row found out. */
class RowVerdict<Seen extends DrillAttempt = DrillAttempt> {
  /** No row can make one: it would need this. */
  readonly #isConcluded = true;

  constructor(
    readonly state: "passed" | "failed" | "not tested",
    readonly seen: Seen,
    /** What shows that the same steps succeed without what was tried. */
    readonly control?: string,
    /** Why it was not tested, in one sentence. */
    readonly reason?: string,
  ) {}

  /** Whether the same steps fail without what was tried as well. */
  get failsAnyway(): boolean {
    return this.#isConcluded && this.reason === failsAnyway;
  }

  /** Whether another drill may find out more: something was too slow, or failed by itself. */
  get isUndecided(): boolean {
    const isFailed = this.failsAnyway || this.reason === onceOnly;
    return this.state === "not tested" && (isFailed || this.seen.isUnsure === true);
  }
}

export type { RowVerdict };

/**
 * Tries something, and concludes what that shows. A failure counts only with its control; what is
 * unsure is tried once more; and what is wrong must show twice, with a control in between.
 */
export async function conclude<Seen extends DrillAttempt>(
  trial: Trial<Seen>,
): Promise<RowVerdict<Seen>> {
  const first = await tryTwice(trial);
  if (first.state !== "failed") return first;
  const between = await trial.control() ?? await trial.control();
  if (between === undefined) {
    // What has worked a moment ago, and fails for good, does not get over what was tried.
    const isForGood = first.seen.byFailure && first.control !== undefined;
    return isForGood ? first : notTested(first.seen, failsAnyway);
  }
  const attempt = () => trial.attempt(first.seen);
  const second = await tryTwice({ ...trial, attempt, recent: () => between });
  if (second.state === "failed") return new RowVerdict("failed", second.seen, between);
  const isOnce = second.state === "passed" && !first.seen.isUnsure;
  return isOnce ? notTested(second.seen, onceOnly) : second;
}

export const failsAnyway = "What fails here fails without it as well.";
const onceOnly = "It went wrong once, and not the next time.";

async function tryTwice<Seen extends DrillAttempt>(
  trial: Trial<Seen>,
): Promise<RowVerdict<Seen>> {
  const first = await tryOnce(trial);
  const isUnsure = first.seen.isUnsure || first.failsAnyway;
  if (!isUnsure || first.state === "failed") return first;
  // What succeeded before the first attempt is the control of both.
  return await tryOnce({ ...trial, recent: () => first.control ?? trial.recent?.() });
}

async function tryOnce<Seen extends DrillAttempt>(
  { attempt, control, recent = () => undefined }: Trial<Seen>,
): Promise<RowVerdict<Seen>> {
  const before = recent();
  const seen = await attempt();
  const { shows, skipped = "", byFailure = false } = seen;
  if (shows === "nothing") return notTested(seen, skipped);
  // What is wrong has its control before it is tried again.
  if (shows === "wrong") return new RowVerdict("failed", seen, before);
  if (!byFailure) return new RowVerdict("passed", seen);
  const found = before ?? await control() ?? await control();
  return found === undefined ? notTested(seen, failsAnyway) : new RowVerdict("passed", seen, found);
}

function notTested<Seen extends DrillAttempt>(seen: Seen, reason: string): RowVerdict<Seen> {
  return new RowVerdict("not tested", seen, undefined, reason);
}
