import type { ValueUse } from "../../core/remarks.ts";
import { isWithinScope, type ScopeSubject } from "../../recording/flow_scope.ts";
import type { ValueKind } from "../../tokens/value_form.ts";
import {
  checkValueOptions,
  chosenKinds,
  type ChosenValues,
  type ChosenValuesState,
  storedValue,
  type ValueOptions,
} from "./chosen_values.ts";

/** The values that a test chose for what the server of a lab creates. */
export type Values = ReturnType<typeof createValues>;

/** The values of one kind, in one choice. */
interface ValueQueue {
  choice: string;
  kind: ValueKind;
  scope: ValueOptions;
  /** One value for each time, or several for once each. */
  values: string | readonly string[];
  /** How many credentials the scope matched, and how many got a value. */
  met: number;
  used: number;
}

export function createValues() {
  let nextId = 1;
  let queues: ValueQueue[] = [];
  let uses = new Map<string, ValueUse>();
  let successors = new Map<string, string>();

  function remove(id: string): void {
    queues = queues.filter(({ choice }) => choice !== id);
  }

  function count(kind: ValueKind, client: string | undefined): void {
    const key = JSON.stringify([kind, client]);
    const use = uses.get(key) ?? { kind, ...client !== undefined && { client }, times: 0 };
    uses.set(key, { ...use, times: use.times + 1 });
  }

  return {
    /**
     * Adds values. The ids of configured clients are taken.
     *
     * @throws {LabError} There is no such kind, or a value or the scope is invalid.
     */
    add(options: ValueOptions, clientIds: readonly string[]): ChosenValues {
      checkValueOptions(options, clientIds);
      const id = `values-${nextId++}`;
      const added = chosenKinds(options).map((kind) => createQueue(id, kind, options));
      queues.push(...added);
      return { ...describeChoice(id, added), remove: () => remove(id) };
    },
    /** Returns the choices that were not removed. */
    list(): ChosenValuesState[] {
      const ids = new Set(queues.map(({ choice }) => choice));
      return [...ids].map((id) => describeChoice(id, queues.filter(({ choice }) => choice === id)));
    },
    /** Ends all choices. The report still has what they were used for. */
    removeAll: () => void (queues = []),
    /** Whether nothing was chosen, now or before. */
    isEmpty: () => queues.length === 0 && successors.size === 0,
    /**
     * Returns the value of a new credential; undefined if it is random. It may succeed a refresh
     * token that was presented.
     */
    async next(
      { kind, client, request, findFlow }: ScopeSubject & {
        kind: ValueKind;
        client: string | undefined;
      },
      presented?: string,
    ): Promise<string | undefined> {
      const named = { request: { ...request, client: client ?? request.client }, findFlow };
      for (const queue of inOrder(queues.filter((each) => each.kind === kind))) {
        if (!await isWithinScope(queue.scope, named)) continue;
        const value = takeValue(queue);
        if (value === undefined) continue;
        count(kind, client);
        if (presented !== undefined) successors.set(presented, value);
        return value;
      }
      return undefined;
    },
    /** Returns the value that succeeded a refresh token: a client that lost it may ask again. */
    successorOf: (presented = "") => successors.get(presented),
    /** Returns which values were used, by kind and client. */
    uses: () => [...uses.values()],
    clear(): void {
      successors = new Map();
      queues = [];
      uses = new Map();
    },
    /** Returns a function that returns to the choices of now, and to how far each one is. */
    capture(): () => void {
      const captured = { queues: queues.map(copyOf), successors: new Map(successors) };
      return () => {
        queues = captured.queues.map(copyOf);
        successors = new Map(captured.successors);
      };
    },
  };
}

function copyOf(queue: ValueQueue): ValueQueue {
  return { ...queue };
}

function createQueue(choice: string, kind: ValueKind, options: ValueOptions): ValueQueue {
  const { tenant, client, state, loginHint, nth, times } = options;
  const scope = { tenant, client, state, loginHint, nth, times };
  const value = options[kind] ?? [];
  const values = typeof value === "string"
    ? storedValue(kind, value)
    : value.map((each) => storedValue(kind, each));
  return { choice, kind, scope, values, met: 0, used: 0 };
}

/**
 * Lists come before single values, which they interrupt. Of two single values the later one counts.
 */
function inOrder(queues: readonly ValueQueue[]): ValueQueue[] {
  const isSingle = ({ values }: ValueQueue) => typeof values === "string";
  return [
    ...queues.filter((queue) => !isSingle(queue)),
    ...queues.filter(isSingle).reverse(),
  ];
}

/** Returns the next value of a queue whose scope matches; undefined if it is not its turn. */
function takeValue(queue: ValueQueue): string | undefined {
  const { values, scope } = queue;
  const isSingle = typeof values === "string";
  const { nth = 1, times = isSingle && scope.nth !== undefined ? 1 : Infinity } = scope;
  queue.met++;
  if (queue.met < nth || queue.used >= times) return undefined;
  const value = isSingle ? values : values[queue.used];
  if (value !== undefined) queue.used++;
  return value;
}

function describeChoice(
  id: string,
  queues: readonly ValueQueue[],
): ChosenValuesState {
  const given = Object.entries(queues[0]?.scope ?? {}).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(given),
    id,
    kinds: queues.map(({ kind }) => kind),
    used: Object.fromEntries(queues.map(({ kind, used }) => [kind, used])),
  };
}
