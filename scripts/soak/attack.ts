import { medianOf, medianTime } from "../trials/numbers.ts";
import type { TrialReport } from "../trials/trial.ts";
import type { TrialServer } from "../trials/trial_server.ts";
import { createTrialUser, type TrialUser } from "../trials/trial_user.ts";

/** An attack that has begun. */
export interface RunningAttack {
  /** Ends it, and returns what the attacker saw. */
  stop(): Promise<string>;
}

/** How strong an attack is. */
export interface AttackStrength {
  /** Requests per second. */
  perSecond: number;
  /** Connections that stay open. */
  connections: number;
  /** Whether to wait until the server has ended each slow body. */
  untilEnded: boolean;
}

/** Something that one network does to make others wait. */
export interface Attack {
  name: string;
  begin(server: TrialServer, strength: AttackStrength): Promise<RunningAttack>;
}

/** How an attack is measured. */
export interface AttackOptions {
  strength: AttackStrength;
  /** How often the user is measured without and with the attack. */
  rounds: number;
  /** How many flows of each kind are measured each time. */
  counts: { flows: number; signIns: number };
  /** Whether other programs decide how long anyone waits: then waits are not judged. */
  isBusy: boolean;
}

/** How long an honest user waits, in milliseconds: medians. */
interface Waits {
  /** From the authorization request to the tokens and the user's claims, with a session. */
  flow: number;
  /** The same, with a password. */
  signIn: number;
}

/** How much longer than usual an honest user may wait. */
const maxSlowdown = 2;

/** Measures an honest user without and with an attack, in turn: other programs are busy, too. */
export async function measureAttack(
  server: TrialServer,
  { name, begin }: Attack,
  { strength, rounds, counts, isBusy }: AttackOptions,
): Promise<TrialReport> {
  const kit = server.kit("198.51.100.200");
  const user = createTrialUser(kit);
  // The first one signs in.
  await completeFlow(user);
  const measure = async (): Promise<Waits> => ({
    flow: await medianTime(() => completeFlow(user), (count) => count >= counts.flows),
    signIn: await medianTime(
      () => completeFlow(createTrialUser(kit)),
      (count) => count >= counts.signIns,
    ),
  });
  const usual: Waits[] = [];
  const attacked: Waits[] = [];
  let seen = "";
  for (let round = 0; round < rounds; round++) {
    usual.push(await measure());
    const running = await begin(server, strength);
    try {
      attacked.push(await measure());
    } finally {
      seen = await running.stop();
    }
  }
  const ratio = (kind: keyof Waits) => waitOf(attacked, kind) / waitOf(usual, kind);
  const [flow, signIn] = [ratio("flow"), ratio("signIn")];
  const waits = `an honest user waits ${flow.toFixed(1)} times as long as usual for tokens, ` +
    `${signIn.toFixed(1)} times for a sign-in`;
  const isSlow = Math.max(flow, signIn) > maxSlowdown;
  return {
    figures: [`${name} (${seen}): ${waits}`],
    problems: isSlow && !isBusy ? [`During ${name} ${waits}.`] : [],
  };
}

/** Throws if the user is refused. */
async function completeFlow(user: TrialUser): Promise<void> {
  const tokens = await user.redeem(await user.signIn());
  const claims = await user.userinfo(tokens.body.access_token);
  if (tokens.status === 200 && claims.status === 200) return;
  throw new Error(`An honest user is refused: ${tokens.status} ${claims.status} ${tokens.text}`);
}

function waitOf(rounds: readonly Waits[], kind: keyof Waits): number {
  return medianOf(rounds.map((waits) => waits[kind]));
}
