import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { createRandom } from "../../scripts/trials/numbers.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { breakages } from "./breakages.ts";
import { runLateWrites } from "./late_writes.ts";
import type { Operation } from "./operation.ts";
import { operationNamed, operations } from "./operations.ts";
import {
  describeProblems,
  exploreScenario,
  sampleScenario,
  type ScenarioReport,
} from "./scenarios.ts";

/** Pairs of which every schedule is run here. `deno task model` runs those of all pairs. */
const criticalPairs = [
  ["redeem code", "redeem code"],
  ["redeem code", "revoke refresh token"],
  ["refresh", "refresh"],
  ["refresh", "revoke refresh token"],
  ["refresh with grace", "refresh with grace"],
  ["authorize", "withdraw consent"],
  ["authorize", "sign out"],
  ["authorize", "disable client"],
  ["change own password", "sign out"],
  ["allow", "allow"],
  ["allow device", "deny device"],
  ["allow request", "deny request"],
  ["allow request", "poll while the user decides"],
  ["redeem auth_req_id", "redeem auth_req_id"],
  ["allow request", "ask again"],
  ["deny request", "ask again"],
  ["enable user", "set password"],
  ["set new address", "remove user"],
  ["change registration", "delete registration"],
] as const;

function assertNoProblem(report: ScenarioReport): void {
  assertEquals(report.problems.size, 0, describeProblems(report));
}

describe("Operations at the same time", () => {
  for (const names of criticalPairs) {
    const operations = names.map(operationNamed);
    it(`keep every promise in each schedule of '${names.join("' and '")}'`, async () => {
      const report = await exploreScenario({ operations }, 1000);
      assert(report.complete);
      assertNoProblem(report);
    });

    it(`keep every promise with batches in each schedule of '${names.join("' and '")}'`, async () => {
      const report = await exploreScenario({ operations, openStore: memoryStore }, 1000);
      assert(report.complete);
      assertNoProblem(report);
    });
  }

  it("keep every promise when a client asks a user twice at once", async () => {
    const chosen = ["ask a user", "ask a user"].map(operationNamed);
    for (const openStore of [undefined, memoryStore]) {
      const scenario = { operations: chosen, ...openStore && { openStore } };
      assertNoProblem(await sampleScenario(scenario, 300, createRandom(1)));
    }
  });

  it("keep every promise when a client polls twice while its user allows that, and what they allowed ends", async () => {
    for (const end of ["sign out", "disable user"]) {
      const chosen = ["poll while the user decides", "allow request", end].map(operationNamed);
      const scenario = { operations: chosen, isFirstRepeated: true };
      assertNoProblem(await sampleScenario(scenario, 150, createRandom(1)));
    }
  });

  it("S10: keep every promise when a consent page is sent twice during a withdrawal", async () => {
    const chosen = ["allow", "withdraw consent"].map(operationNamed);
    const report = await exploreScenario({ operations: chosen, isFirstRepeated: true }, 1000);
    assert(report.complete);
    assertNoProblem(report);
  });

  operations.forEach((operation, at) => {
    const { name } = operation;
    it(`keep every promise when '${name}' dies before any of its calls`, async () => {
      const scenario = { operations: [operation], faults: ["dies"] as const };
      assertNoProblem(await exploreScenario(scenario, 200));
    });

    it(`keep every promise when '${name}' meets another, and something goes wrong`, async () => {
      const random = createRandom(at);
      const faults = ["dies", "fails", "is lost"] as const;
      for (const other of operations.slice(at).filter((_, each) => each % 2 === 0)) {
        const scenario = { operations: [operation, other], faults };
        assertNoProblem(await sampleScenario(scenario, 1, random));
      }
    });
  });
});

describe("A write that was given up", () => {
  const writers = operations.filter(({ locks }) => locks && !locks.includes("names"));
  for (const operation of writers) {
    it(`R1: undoes nothing when it comes late: '${operation.name}'`, async () => {
      const isRival = ({ locks = [] }: Operation) =>
        locks.some((lock) => operation.locks?.includes(lock));
      for (const other of writers.filter(isRival)) {
        assertNoProblem(await runLateWrites({ operations: [operation, other] }));
      }
    });
  }
});

describe("The model", () => {
  for (const { name, operations, problem, ...scenario } of breakages) {
    it(`notices that ${name}`, async () => {
      const broken = { ...scenario, operations: operations.map(operationNamed) };
      assertMatch(describeProblems(await exploreScenario(broken, 200)), problem);
    });
  }
});
