import {
  audienceInjection,
  type DrillVariant,
  drillVariants,
} from "../../../../lab/features/drill/variants/variants.ts";
import type { WireRequest } from "../../../../lab/recording/exchange.ts";
import type { PlainRun, VetOutcome } from "../result/vet_result.ts";
import { findOutcome, type WatchedRun } from "./find_outcome.ts";
import {
  type OpenLabForRun,
  type RunConditions,
  type SuiteRunner,
  unfitSuite,
} from "./suite_runner.ts";
import { mcpStep, type Traffic, watchRun } from "./traffic.ts";

const codeStep = "token authorization_code";
const refreshStep = "token refresh_token";

/** A suite, and how to open a lab for it. */
export interface VettedSuite<Target> {
  open: OpenLabForRun<Target>;
  suite: SuiteRunner<Target>;
}

/** Runs the suite once without a fault, and learns which of the variants it could meet. */
export async function runPlain<Target>(
  vetted: VettedSuite<Target>,
  variants: readonly DrillVariant[],
  conditions: RunConditions,
): Promise<PlainRun> {
  const { run, traffic } = await runOnce(vetted, undefined, conditions);
  if (!run.passed) throw unfitSuite("suite_fails", run);
  if (traffic.requests === 0) throw unfitSuite("no_traffic", run);
  const unmet = variants.flatMap((variant) => {
    const problem = unmetProblem(variant, traffic);
    return problem === undefined ? [] : [[variant.fault, problem] as const];
  });
  const reasons = new Map<string, string>(unmet);
  return {
    milliseconds: run.milliseconds,
    steps: traffic.steps,
    met: variants.map(({ fault }) => fault).filter((fault) => !reasons.has(fault)),
    reasons,
  };
}

/** Checks that a suite that has passed without a fault still does. */
export async function checkStillPasses<Target>(
  vetted: VettedSuite<Target>,
  conditions: RunConditions,
): Promise<void> {
  const { run } = await runOnce(vetted, undefined, conditions);
  if (!run.passed) throw unfitSuite("runs_differ", run);
}

/** Runs the suite under a variant. A run that fails for another reason is repeated once. */
export async function runUnder<Target>(
  vetted: VettedSuite<Target>,
  { variant, plain, mayRepeat }: {
    variant: DrillVariant;
    plain: PlainRun;
    /** Whether it may be repeated if it fails for another reason. */
    mayRepeat(): boolean;
  },
  conditions: RunConditions,
): Promise<VetOutcome> {
  const attempt = async () =>
    findOutcome(variant, await runOnce(vetted, variant, conditions), plain.steps);
  const outcome = await attempt();
  if (outcome.outcome !== "unstable" || !mayRepeat()) return outcome;
  await checkStillPasses(vetted, conditions);
  return await attempt();
}

/**
 * Returns why the suite would not show how its client handles a variant, by its traffic without
 * one; undefined if it would.
 */
export function unmetProblem(
  variant: DrillVariant,
  { changeable, steps, revealing }: Traffic,
): string | undefined {
  const { fault, needsUserinfo = false, needsKeys = false, showsInHeader = false } = variant;
  if (!changeable.has(fault)) return "The suite gets no response that has it.";
  const isForAll = drillVariants.some((each) => each.fault === fault);
  if (!isForAll && steps[mcpStep] === undefined) {
    return "It is for clients of the Model Context Protocol, and the suite has none.";
  }
  if (variant.twice && (steps[variant.after === "refresh" ? refreshStep : codeStep] ?? 0) < 2) {
    return "Only two such requests at once show it, and the suite sends one.";
  }
  if (needsUserinfo && steps.userinfo === undefined) {
    return "Only a request to userinfo shows it, and the suite sends none.";
  }
  const isBlindWithoutKeys = needsKeys && !showsInHeader;
  if (isBlindWithoutKeys && !revealing.some(({ endpoint }) => endpoint === "jwks")) {
    return "Your client never reads the keys, so it checks no signature.";
  }
  // The request that would show it goes to another server, unless there is one as well.
  if (fault !== audienceInjection || revealing.some(isAssertionBesideTokens)) return undefined;
  return "Only a client assertion at another endpoint than the token endpoint shows it.";
}

async function runOnce<Target>(
  { open, suite }: VettedSuite<Target>,
  variant: DrillVariant | undefined,
  conditions: RunConditions,
): Promise<WatchedRun> {
  const { signal, job } = conditions;
  signal.throwIfAborted();
  const { probe, traffic, fired } = watchRun(variant);
  const lab = await open(probe, job);
  try {
    const run = await suite.run(lab.target, conditions);
    signal.throwIfAborted();
    return { run, traffic, fired: fired() };
  } finally {
    await lab.close();
  }
}

function isAssertionBesideTokens({ endpoint, form }: WireRequest): boolean {
  return form.has("client_assertion") && endpoint !== "token";
}
