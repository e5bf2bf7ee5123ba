/** So many refusals may come between a success and the refusal that it is the control of. */
const maxBetween = 4;

/** Locked, or too many requests: it is not what was sent that was refused. */
const limited = [423, 429];

/** Whether a response with a status shows nothing of what was sent, unless it comes again. */
export function isDisturbance(status: number): boolean {
  return status >= 500 || limited.includes(status);
}

/** Remembers which steps have succeeded, and what was refused since then. */
export function createControls<Steps>() {
  let refusals = 0;
  let hasFailed = false;
  const successes = new Map<Steps, { flow: string; at: number }>();
  /** The verdicts that rest on the last success, by their numbers. */
  const resting = new Set<number>();
  return {
    /** Returns the flow of some steps that succeeded, with few refusals since then. */
    recent(steps: Steps): string | undefined {
      const found = successes.get(steps);
      return found && refusals - found.at <= maxBetween ? found.flow : undefined;
    },
    succeed(steps: Steps, flow: string): void {
      successes.set(steps, { flow, at: refusals });
      resting.clear();
      hasFailed = false;
    },
    refuse: () => void refusals++,
    /** What came before a response such as 429 shows nothing of what comes after it. */
    disturb: () => successes.clear(),
    /** Notes that steps without a fault have failed. */
    fail(): void {
      successes.clear();
      hasFailed = true;
    },
    /** Adds a verdict. If the control of those since the last success has failed, they are void. */
    takeVoid(number: number, control: string | undefined): number[] {
      if (!hasFailed && control !== undefined) resting.add(number);
      if (!hasFailed) return [];
      hasFailed = false;
      const found = [...resting];
      resting.clear();
      return found;
    },
  };
}
