import type { AttackReport } from "./attack_rounds.ts";
import { growthOf } from "./flatness.ts";
import type { Round } from "./rounds.ts";
import type { SoakedServer } from "./soaked_server.ts";

/** What one server has shown. */
export interface SoakReport {
  /** In one sentence each. */
  figures: string[];
  problems: string[];
}

/** How much more the last third of the rounds may leave than the middle third. */
const maxGrowth = { heap: 1.1, rss: 1.2, rows: 1 };

/** How much longer than usual an honest user may wait. */
const maxSlowdown = 2;

const megabyte = 1024 * 1024;

/** Reports what rounds of mixed load have left behind. */
export function reportRounds(rounds: readonly Round[], statuses: Statuses): SoakReport {
  const heap = growthOf(rounds.map(({ heap }) => heap));
  const rss = growthOf(rounds.map(({ rss }) => rss));
  const last = rounds.at(-1);
  const left = Object.entries(last?.rows ?? {}).map(([table, rows]) => `${rows} ${table}`);
  return {
    figures: [
      `${sum(rounds.map(({ flows }) => flows))} flows, ${sum([...statuses.values()])} responses`,
      `heap ${megabytes(last?.heap)}, growth ${heap.toFixed(3)}`,
      `process ${megabytes(last?.rss)}, growth ${rss.toFixed(3)}`,
      ...last?.rows ? [`rows left after sweeping: ${left.join(", ")}`] : [],
    ],
    problems: [
      ...serverErrors(statuses),
      ...heap > maxGrowth.heap ? [`The heap grows: ${heap.toFixed(3)}.`] : [],
      ...rss > maxGrowth.rss ? [`The process grows: ${rss.toFixed(3)}.`] : [],
      ...growthOfRows(rounds),
    ],
  };
}

type Statuses = SoakedServer["statuses"];

function growthOfRows(rounds: readonly Round[]): string[] {
  const counts = rounds.flatMap(({ rows }) => rows ? [sum(Object.values(rows))] : []);
  if (counts.length === 0 || growthOf(counts) <= maxGrowth.rows) return [];
  return [`The store grows: ${counts.join(", ")} rows.`];
}

/** A mixed load has no reason for a status of 500 or more. */
function serverErrors(statuses: Statuses): string[] {
  return [...statuses].filter(([status]) => status >= 500).map(([status, count]) =>
    `${count} responses had the status ${status}.`
  );
}

/**
 * Reports how long an honest user had to wait beside an attack. On a machine that was busy before,
 * other programs decide how long anyone waits.
 */
export function reportAttack(
  { name, slowdown, seen }: AttackReport,
  isBusy: boolean,
): SoakReport {
  const { flow, signIn } = slowdown;
  const waits = `an honest user waits ${flow.toFixed(1)} times as long as usual for tokens, ` +
    `${signIn.toFixed(1)} times for a sign-in`;
  const isSlow = Math.max(flow, signIn) > maxSlowdown;
  return {
    figures: [`${name} (${seen}): ${waits}`],
    problems: isSlow && !isBusy ? [`During ${name} ${waits}.`] : [],
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function megabytes(bytes = 0): string {
  return `${(bytes / megabyte).toFixed(1)} MB`;
}
