import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  activeKey,
  keyState,
  nextKey,
  nextKeyId,
  signsUntil,
  type StoredKey,
  successorDue,
} from "../../src/server/issuer/keys/key_ring.ts";

const now = 1_000_000;

/** A key of a generation that signs from a time, relative to now. */
function keyFrom(generation: number, from?: number): StoredKey {
  const id = generation === 0 ? "ES256" : `ES256/${generation}`;
  return {
    id,
    kid: id,
    alg: "ES256",
    encryptedKey: "",
    ...from !== undefined && { from: now + from },
  } as StoredKey;
}

const [old, active, next] = [keyFrom(0), keyFrom(1, -50), keyFrom(2, 50)];
const all = [old, active, next];

describe("The keys of an algorithm", () => {
  it("are active, next or retired, by the time from which they sign", () => {
    const states = [next, old, active].map((key) => keyState(key, [next, active, old], now));
    assertEquals(states, ["next", "retired", "active"]);
    assertEquals(keyState(old, [], now), "active");
    assertEquals(all.map((key) => keyState(key, all, now + 50)), ["retired", "retired", "active"]);
  });

  it("sign by the first one if the clock was set back behind them all", () => {
    const future = [keyFrom(0, 10), keyFrom(1, 20)];
    assertEquals([activeKey(future, now)?.id, nextKey(future, now)?.id], ["ES256", "ES256/1"]);
    assertEquals([activeKey([], now), nextKey([], now)], [undefined, undefined]);
  });

  it("sign until their successor does, or until another algorithm took over", () => {
    const ends = all.map((key) => signsUntil(key, all));
    assertEquals(ends, [now - 50, now + 50, Infinity]);
    assertEquals(signsUntil({ ...next, supersededAt: now }, all), now);
  });

  it("are numbered by generation", () => {
    assertEquals(nextKeyId("ES256", []), { id: "ES256", generation: 0 });
    assertEquals(nextKeyId("ES256", [old]), { id: "ES256/1", generation: 1 });
    assertEquals(nextKeyId("ES256", [next, old]), { id: "ES256/3", generation: 3 });
  });
});

describe("successorDue", () => {
  const rotation = { every: 1000, overlap: 100 };
  const signing = (from: number, ...others: StoredKey[]) => [keyFrom(0, from), ...others];

  const cases: Array<[what: string, keys: StoredKey[], due: number | undefined]> = [
    ["no key", [], undefined],
    ["a new key", signing(0), undefined],
    ["a key that ends in 101 ms", signing(-899), undefined],
    ["a key that ends in 100 ms", signing(-900), now + 100],
    ["a key that ends in 50 ms", signing(-950), now + 100],
    ["a key that should have ended", signing(-5000), now + 100],
    ["a key with a successor", signing(-950, keyFrom(1, 50)), undefined],
    ["a successor at the end of the next period", signing(-950, keyFrom(1, 1050)), undefined],
    ["a successor after that", signing(-950, keyFrom(1, 1051)), now + 100],
    ["an overdue key with a successor", signing(-5000, keyFrom(1, 1000)), undefined],
    ["an overdue key with a later successor", signing(-5000, keyFrom(1, 1001)), now + 100],
  ];
  for (const [what, keys, due] of cases) {
    it(`is ${due === undefined ? "undefined" : `now + ${due - now}`} for ${what}`, () => {
      assertEquals(successorDue(keys, rotation, now), due);
    });
  }

  it("is undefined without a rotation", () => {
    assertEquals(successorDue(signing(-5000), { ...rotation, every: undefined }, now), undefined);
  });
});
