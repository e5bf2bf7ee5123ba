import type { SoakedServer } from "./soaked_server.ts";

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
  begin(server: SoakedServer, strength: AttackStrength): Promise<RunningAttack>;
}
