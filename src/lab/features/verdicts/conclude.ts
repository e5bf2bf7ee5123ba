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
  /** Tries it, with a login of its own. */
  attempt(): Promise<Seen>;
  /** Does the same without what is tried. Returns what shows that it succeeded, if it did. */
  control(): Promise<string | undefined>;
  /** Returns what shows that it succeeded a moment ago. */
  recent?(): string | undefined;
}

/** What a row found out. */
export interface RowVerdict<Seen extends DrillAttempt = DrillAttempt> {
  state: "passed" | "failed" | "not tested";
  seen: Seen;
  /** Why it was not tested, in one sentence. */
  reason?: string | undefined;
  /** What shows that the same steps succeed without what was tried. */
  control?: string | undefined;
}

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
  // What has worked a moment ago, and fails for good, does not get over what was tried.
  if (between === undefined) {
    const isForGood = first.seen.byFailure && first.control !== undefined;
    return isForGood ? first : notTested(first.seen, failsAnyway);
  }
  const second = await tryTwice({ ...trial, recent: () => between });
  if (second.state === "failed") return { ...second, control: between };
  const isOnce = second.state === "passed" && !first.seen.isUnsure;
  return isOnce ? notTested(second.seen, onceOnly) : second;
}

const failsAnyway = "What fails here fails without it as well.";
const onceOnly = "It went wrong once, and not the next time.";

async function tryTwice<Seen extends DrillAttempt>(trial: Trial<Seen>): Promise<RowVerdict<Seen>> {
  const first = await tryOnce(trial);
  const isUnsure = first.seen.isUnsure || first.reason === failsAnyway;
  if (!isUnsure || first.state === "failed") return first;
  // What succeeded before the first attempt is the control of both.
  return await tryOnce({ ...trial, recent: () => first.control ?? trial.recent?.() });
}

async function tryOnce<Seen extends DrillAttempt>(
  { attempt, control, recent = () => undefined }: Trial<Seen>,
): Promise<RowVerdict<Seen>> {
  const before = recent();
  const seen = await attempt();
  const { shows, skipped, byFailure = false } = seen;
  if (shows === "nothing") return notTested(seen, skipped);
  // What is wrong has its control before it is tried again.
  if (shows === "wrong") return { state: "failed", seen, control: before };
  if (!byFailure) return { state: "passed", seen };
  const found = before ?? await control() ?? await control();
  if (found === undefined) return notTested(seen, failsAnyway);
  return { state: "passed", seen, control: found };
}

function notTested<Seen extends DrillAttempt>(
  seen: Seen,
  reason: string | undefined,
): RowVerdict<Seen> {
  return { state: "not tested", seen, reason };
}
