import { withBatch } from "../../src/server/store/batch.ts";
import type { Store } from "../../src/server/store/store.ts";
import type { Fault } from "./choices.ts";

/** What a call of the store touches. */
export interface Access {
  kind: string;
  /** The row; undefined if the call touches all rows of the kind. */
  id?: string | undefined;
  writes: boolean;
  /** Two calls that delete the same row commute. */
  deletes?: boolean;
  /** What each call of a batch touches. */
  parts?: readonly Access[];
}

/** A call of the store that waits until a schedule lets it happen. */
export interface WaitingCall {
  /** Which operation makes it. */
  actor: number;
  /** Names the call, the same in every schedule. */
  key: string;
  access: Access;
  /** Whether its caller has given it up, and no longer waits. */
  isLate?: boolean;
  /** Lets the call happen, or go wrong, and resolves when that is over. */
  happen(fault?: Fault): Promise<void>;
}

/** A place where the calls of all operations wait. */
export interface Gate {
  /** The calls that wait, the oldest first. */
  readonly waiting: readonly WaitingCall[];
  /** Counts the calls that have arrived. */
  readonly arrivals: number;
  /** Returns the store as one operation sees it. */
  storeOf(actor: number, store: Store): Store;
  /** Waits as a call does, before the response of an operation reaches its caller. */
  respond(actor: number): Promise<void>;
  /** Forgets the calls of an operation, which never continues. */
  abandon(actor: number): void;
}

/** The kind of the last step of an operation, which calls no store. */
export const responseKind = "response";

/** The kind that stands for every row of a store. */
export const everyKind = "*";

const writingMethods = new Set<keyof Store>(["put", "add", "consume", "delete", "sweep"]);

/** Creates a place where calls wait. */
export function createGate(): Gate {
  const waiting: WaitingCall[] = [];
  const counts = new Map<string, number>();
  let arrivals = 0;

  function wait(actor: number, method: string, access: Access, call: () => Promise<unknown>) {
    const name = `${actor} ${method} ${access.kind} ${access.id ?? ""}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    arrivals++;
    return new Promise<unknown>((resolve, reject) => {
      const waitingCall: WaitingCall = {
        actor,
        key: `${name} ${count}`,
        access,
        async happen(fault) {
          waiting.splice(waiting.indexOf(waitingCall), 1);
          if (fault === "is late") return giveUp(waitingCall, call, reject);
          if (fault !== "fails") await call().then(fault ? undefined : resolve, reject);
          if (fault) reject(new Error(`The call ${fault}.`));
        },
      };
      waiting.push(waitingCall);
    });
  }

  /** Fails a call that happens at any later time all the same. */
  function giveUp(
    { actor, key, access }: WaitingCall,
    call: () => Promise<unknown>,
    reject: (cause: Error) => void,
  ): void {
    const late: WaitingCall = {
      ...{ actor, key: `${key} at last`, access, isLate: true },
      async happen() {
        waiting.splice(waiting.indexOf(late), 1);
        await call();
      },
    };
    waiting.push(late);
    reject(new Error("The call was given up."));
  }

  return {
    waiting,
    get arrivals() {
      return arrivals;
    },
    abandon(actor) {
      const others = waiting.filter((call) => call.actor !== actor);
      waiting.splice(0, waiting.length, ...others);
    },
    respond: async (actor) =>
      void await wait(actor, "respond", { kind: responseKind, writes: false }, async () => {}),
    storeOf: (actor, store) => waitingStore(store, (...call) => wait(actor, ...call)),
  };
}

type Wait = (method: keyof Store, access: Access, call: () => Promise<unknown>) => Promise<unknown>;

/** Wraps a store: each call waits before it happens, and so does each batch, as one step. */
function waitingStore(store: Store, wait: Wait): Store {
  const wrapped = Object.entries(store).filter(([, method]) => typeof method === "function")
    .map(([name, method]) => {
      const waitingMethod = (...args: unknown[]) =>
        wait(name as keyof Store, accessOf(name as keyof Store, args), () => method(...args));
      return [name, waitingMethod];
    });
  const waiting: Store = { ...store, ...Object.fromEntries(wrapped) };
  const { batch } = store;
  if (!batch) return waiting;
  return withBatch(waiting, async (calls) => {
    const parts = calls.map(([method, ...args]) => accessOf(method, args));
    const id = parts.map((part) => `${part.kind}/${part.id}`).join();
    const access = { kind: "batch", id, writes: parts.some(({ writes }) => writes), parts };
    return await wait("batch", access, () => batch(calls)) as Awaited<ReturnType<typeof batch>>;
  });
}

function accessOf(method: keyof Store, [kind, id]: readonly unknown[]): Access {
  const writes = writingMethods.has(method);
  if (method === "sweep") return { kind: everyKind, writes };
  if (method === "list") return { kind: String(kind), writes };
  return { kind: String(kind), id: String(id), writes, deletes: method === "delete" };
}
