import type { Row, Store } from "../../src/server/store/store.ts";
import type { Fault } from "./choices.ts";
import type { Operation } from "./operation.ts";

/** A mistake that the model must notice, as the calls that a broken program would make. */
export interface Breakage {
  name: string;
  /** The operations that show it. */
  operations: readonly string[];
  faults?: readonly Fault[];
  isFirstRepeated?: boolean;
  /** What the model says. */
  problem: RegExp;
  breakStore(store: Store, operation: Operation): Store;
}

/** Mistakes that an authorization server can make. */
export const breakages: readonly Breakage[] = [
  {
    name: "a code is consumed in two steps: read, then write",
    operations: ["redeem code", "redeem code"],
    problem: /code was spent 2 times/,
    breakStore: (store) => ({
      ...store,
      async consume(kind, id, at, keepUntil) {
        const row = await store.get(kind, id);
        if (!row || row.usedAt !== undefined) return false;
        await store.put(kind, id, { ...row, usedAt: at, expiresAt: keepUntil });
        return true;
      },
    }),
  },
  {
    name: "the loser of a race revokes nothing",
    operations: ["redeem code", "redeem code"],
    problem: /is active, and should have ended/,
    breakStore: (store, { name }) => name === "redeem code" ? withoutRevocation(store) : store,
  },
  {
    name: "the consent is not checked again after the authorization was stored",
    operations: ["authorize", "withdraw consent"],
    problem: /code of 'authorize' is active/,
    breakStore: (store, { name }) => name === "authorize" ? withOldReads(store, "consent") : store,
  },
  {
    name: "the consent is checked again before the authorization is stored",
    operations: ["authorize", "withdraw consent"],
    problem: /code of 'authorize' is active/,
    breakStore: (store, { name }) => name === "authorize" ? withEarlyLists(store) : store,
  },
  {
    name: "locks hold nobody up, and a row is replaced that has changed",
    operations: ["enable user", "set password"],
    problem: /'set password' was finished, and is not so/,
    breakStore: (store) => ({
      ...withoutCondition(store),
      add: (kind, id, row) => addUnlocked(store, kind, id, row),
    }),
  },
  {
    name: "a write that was given up comes late, and undoes a newer one",
    operations: ["change registration", "delete registration"],
    faults: ["is late"],
    problem: /'delete registration' was finished, and is not so/,
    breakStore: withoutCondition,
  },
  {
    name: "a user is written before what leads there",
    operations: ["set new address"],
    faults: ["dies"],
    problem: /email of dora leads to 0 users/,
    breakStore: withLateClaims,
  },
  {
    name: "a write is acknowledged before it happens",
    operations: ["revoke access token"],
    faults: ["dies"],
    problem: /access token is active, and should have ended/,
    breakStore: (store) => ({
      ...store,
      async put(kind, id, row) {
        void store.put(kind, id, row);
        return true;
      },
    }),
  },
  {
    name: "a session is deleted before it is marked as ended",
    operations: ["sign out"],
    faults: ["dies"],
    problem: /access token is active, and should have ended/,
    breakStore: withLateMark,
  },
  {
    name: "a code is consumed before its verifier is checked",
    operations: ["redeem a code with a wrong verifier"],
    problem: /wrong verifier' changed a row/,
    breakStore: (store) => ({
      ...store,
      async get(kind, id) {
        if (kind === "code") await store.consume(kind, id, 0, Number.MAX_SAFE_INTEGER);
        return await store.get(kind, id);
      },
    }),
  },
  {
    name: "a poll marks nothing as used",
    operations: ["poll while the user decides", "allow request"],
    isFirstRepeated: true,
    problem: /auth_req_id of 'allow request' was spent 2 times/,
    breakStore: (store) => ({ ...store, consume: () => Promise.resolve(true) }),
  },
  {
    name: "the second use after a poll revokes nothing",
    operations: ["poll while the user decides", "allow request"],
    isFirstRepeated: true,
    problem: /token for the auth_req_id of 'allow request' is active, and should have ended/,
    breakStore: withoutRevocation,
  },
  {
    name: "a newer request leaves the decision about the older one to the user",
    operations: ["ask again"],
    problem: /open request is active, and should have ended/,
    breakStore: (store, { name }) => ({
      ...store,
      add: async (kind, id, row) =>
        kind === "backchannel-decision" && name === "ask again" || await store.add(kind, id, row),
    }),
  },
  {
    name: "a poll consumes what its user is deciding about",
    operations: ["poll while the user decides", "allow request"],
    problem: /auth_req_id of 'allow request' has ended, and nothing should have ended it/,
    breakStore: (store) => ({
      ...store,
      async get(kind, id) {
        const row = await store.get(kind, id);
        if (kind === "auth-req-id") await store.consume(kind, id, 0, Number.MAX_SAFE_INTEGER);
        return row;
      },
    }),
  },
];

/** A program that writes rows whatever they have become. */
function withoutCondition(store: Store): Store {
  return { ...store, put: (kind, id, row) => store.put(kind, id, row) };
}

/** A program that revokes nothing. */
function withoutRevocation(store: Store): Store {
  return {
    ...store,
    delete: async (kind, id) => kind === "authorization" ? undefined : await store.delete(kind, id),
  };
}

/** A program that reads each list once. */
function withOldReads(store: Store, kind: string): Store {
  let first: ReturnType<Store["list"]> | undefined;
  return {
    ...store,
    list: (listed, options) =>
      listed === kind ? first ??= store.list(listed, options) : store.list(listed, options),
  };
}

/** A program that reads each list twice at once, and uses the second reading later. */
function withEarlyLists(store: Store): Store {
  let second: ReturnType<Store["list"]> | undefined;
  return {
    ...store,
    async list(kind, options) {
      if (second) return await second;
      const first = await store.list(kind, options);
      await (second = store.list(kind, options));
      return first;
    },
  };
}

/** A program whose locks hold nobody up. */
async function addUnlocked(store: Store, kind: string, id: string, row: Row): Promise<boolean> {
  if (kind !== "lock") return await store.add(kind, id, row);
  await store.put(kind, id, row);
  return true;
}

/** A program that marks a session as ended only after its row was deleted. */
function withLateMark(store: Store): Store {
  let mark = () => Promise.resolve(true);
  return {
    ...store,
    async put(kind, id, row, condition) {
      if (kind !== "ended-session") return await store.put(kind, id, row, condition);
      mark = () => store.put(kind, id, row);
      return true;
    },
    async delete(kind, id) {
      await store.delete(kind, id);
      if (kind === "session") await mark();
    },
  };
}

/** Writes what leads to a user once the user is written. */
function withLateClaims(store: Store): Store {
  const late: Array<() => Promise<unknown>> = [];
  return {
    ...store,
    async put(kind, ...rest) {
      if (kind === "user-claim") return late.push(() => store.put(kind, ...rest)) > 0;
      const isWritten = await store.put(kind, ...rest);
      if (kind === "user") { for (const write of late.splice(0)) await write(); }
      return isWritten;
    },
  };
}
