import type { Attack, AttackStrength } from "./attack.ts";
import { medianOf } from "./flatness.ts";
import { createHonestUser, type Waits } from "./honest_user.ts";
import type { SoakedServer } from "./soaked_server.ts";

/** What an attack has done to an honest user. */
export interface AttackReport {
  name: string;
  /** How much longer the user waits than usual, as ratios. */
  slowdown: Waits;
  /** What the attacker saw. */
  seen: string;
}

/** How an attack is measured. */
export interface AttackOptions {
  strength: AttackStrength;
  /** How often the user is measured without and with the attack. */
  rounds: number;
  /** How many flows of each kind are measured each time. */
  counts: { flows: number; signIns: number };
}

/** Measures an honest user without and with an attack, in turn: other programs are busy, too. */
export async function measureAttack(
  server: SoakedServer,
  attack: Attack,
  { strength, rounds, counts }: AttackOptions,
): Promise<AttackReport> {
  const user = createHonestUser(server.kit("198.51.100.200"));
  const usual: Waits[] = [];
  const attacked: Waits[] = [];
  let seen = "";
  for (let round = 0; round < rounds; round++) {
    usual.push(await user.measure(counts));
    const running = await attack.begin(server, strength);
    try {
      attacked.push(await user.measure(counts));
    } finally {
      seen = await running.stop();
    }
  }
  const ratio = (kind: keyof Waits) => waitOf(attacked, kind) / waitOf(usual, kind);
  return { name: attack.name, slowdown: { flow: ratio("flow"), signIn: ratio("signIn") }, seen };
}

function waitOf(rounds: readonly Waits[], kind: keyof Waits): number {
  return medianOf(rounds.map((waits) => waits[kind]));
}
