import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { findFailing, planGroups } from "../../../scripts/without/plan.ts";

const dependents = new Map([["card", ["pin", "chip"]], ["pin", ["chip"]]]);

/** Returns what finds out about a group, and the groups that it tried. */
function trial(fails: (names: readonly string[]) => boolean) {
  const tried: string[] = [];
  const succeeds = (names: readonly string[]) => {
    tried.push(names.join());
    return Promise.resolve(!fails(names));
  };
  return { tried, succeeds };
}

describe("planGroups", () => {
  it("has no group with a feature that goes with another of it, and about equal ones", () => {
    const groups = planGroups([["chip", "pin", "card", "door", "key"]], dependents, 3);
    assertEquals(groups, [["card", "door"], ["pin", "key"], ["chip"]]);
  });

  it("makes more groups where these are too few", () => {
    const groups = planGroups([["card", "pin", "door"]], dependents, 1);
    assertEquals(groups, [["card", "door"], ["pin"]]);
  });

  it("keeps kinds apart, and gives each its share", () => {
    const groups = planGroups([["a", "b"], [], ["c", "d", "e", "f"]], dependents, 3);
    assertEquals(groups, [["a", "b"], ["c", "e"], ["d", "f"]]);
  });
});

describe("findFailing", () => {
  const names = ["a", "b", "c", "d", "e"];

  it("tries a group that succeeds once", async () => {
    const { tried, succeeds } = trial(() => false);
    assertEquals(await findFailing(names, succeeds), []);
    assertEquals(tried, ["a,b,c,d,e"]);
  });

  it("splits a group that fails until each feature that fails is found", async () => {
    const { tried, succeeds } = trial((some) => some.includes("b") || some.includes("e"));
    assertEquals(await findFailing(names, succeeds), ["b", "e"]);
    assertEquals(tried, ["a,b,c,d,e", "a,b,c", "a,b", "a", "b", "c", "d,e", "d", "e"]);
  });

  it("names the whole group if both halves succeed", async () => {
    const { succeeds } = trial((some) => some.includes("a") && some.includes("e"));
    assertEquals(await findFailing(names, succeeds), names);
  });
});
