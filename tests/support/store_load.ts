import type { Row, Store } from "../../src/server/store/store.ts";

/** What callers of a store under load got. */
export interface LoadResult {
  /** How many rounds of calls succeeded. */
  rounds: number;
  /** What no caller may get, in words. */
  wrong: string[];
  /** The messages of calls that failed, each once. */
  failures: string[];
}

const users = 200;
const lines = 40;
const expiresAt = 8e15;

/**
 * Calls a store again and again while it is disturbed, and compares all that it returns. Callers
 * that share the rows have names.
 */
export async function callWhile(
  store: Store,
  disturb: () => Promise<unknown>,
  caller = "code",
): Promise<LoadResult> {
  const names = Array.from({ length: users }, (_, n) => `user-${n}`);
  await Promise.all(names.map((value) => store.put("user", value, { value, expiresAt })));
  const wrong: string[] = [];
  const failures = new Set<string>();
  let rounds = 0;
  let isOver = false;
  const callOnAndOn = async (_: unknown, line: number) => {
    for (let n = 0; !isOver; n++) {
      try {
        const user = `user-${(line * 7 + n) % users}`;
        wrong.push(...await callOnce(store, `${caller}-${line}-${n}`, user));
        rounds++;
      } catch (cause) {
        failures.add(cause instanceof Error ? cause.message : `${cause}`);
      }
    }
  };
  const calls = Array.from({ length: lines }, callOnAndOn);
  await disturb().finally(() => isOver = true);
  await Promise.all(calls);
  wrong.push(...await readBack(store, rounds));
  return { rounds, wrong, failures: [...failures] };
}

/** Reads every row again, and returns which are wrong. */
async function readBack(store: Store, rounds: number): Promise<string[]> {
  const rows = [...await listAll(store, "user"), ...await listAll(store, "code")];
  const wrong = rows.filter(([id, { value }]) => value !== id).map(([id]) =>
    `${id} is another row`
  );
  const isComplete = rows.length >= users + rounds;
  return isComplete ? wrong : [...wrong, `${users + rounds - rows.length} rows are missing`];
}

async function listAll(store: Store, kind: string): Promise<Array<[id: string, row: Row]>> {
  const rows: Array<[id: string, row: Row]> = [];
  while (true) {
    const page = await store.list(kind, { after: rows.at(-1)?.[0] });
    if (page.length === 0) return rows;
    rows.push(...page);
  }
}

/** Makes calls that meet those of other lines, and returns what is wrong with their results. */
async function callOnce(store: Store, code: string, user: string): Promise<string[]> {
  const [row, missing, added] = await Promise.all([
    store.get("user", user),
    store.get("revoked", code),
    store.add("code", code, { value: code, expiresAt }),
  ]);
  const winners = await Promise.all(
    [1, 2, 3].map((at) => store.consume("code", code, at, expiresAt)),
  );
  const [listed] = await store.list("code", { after: code.slice(0, -1), limit: 1 });
  const used = await store.get("code", code);
  const problems: Record<string, boolean> = {
    "a user is another one or missing": row?.value !== user,
    "a row was found that does not exist": missing !== undefined,
    "a row was not added": !added,
    "not one caller consumed a code": winners.filter((isFirst) => isFirst).length !== 1,
    "a used code is another one or missing": used?.value !== code,
    "the one who consumed a code is another one": used?.usedAt !== winners.indexOf(true) + 1,
    "a list has no or other rows": listed?.[1].value !== listed?.[0] || listed === undefined,
  };
  return Object.keys(problems).filter((problem) => problems[problem]);
}
