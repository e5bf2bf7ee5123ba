import type { Store } from "../../src/store/store.ts";

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

/** Calls a store again and again while it is disturbed, and compares all that it returns. */
export async function callWhile(
  store: Store,
  disturb: () => Promise<unknown>,
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
        wrong.push(...await callOnce(store, `code-${line}-${n}`, `user-${(line * 7 + n) % users}`));
        rounds++;
      } catch (cause) {
        failures.add(cause instanceof Error ? cause.message : `${cause}`);
      }
    }
  };
  const calls = Array.from({ length: lines }, callOnAndOn);
  await disturb().finally(() => isOver = true);
  await Promise.all(calls);
  return { rounds, wrong, failures: [...failures] };
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
