import type { Lab } from "../../../../src/lab/lab.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import type { HallpassOptions, TestLab } from "../../../../src/lab/testing/mod.ts";
import type { VetOptions } from "../../../../src/program/features/vet/runs/run_vet.ts";
import type {
  RunConditions,
  SuiteRun,
} from "../../../../src/program/features/vet/runs/suite_runner.ts";
import { nestChecked } from "../../../support/checked_layers.ts";

/** A lab as a suite of this process uses it. */
export type SuiteLab = Omit<Lab, "fetch"> & Pick<TestLab, "fetch">;

/** What a suite does with its lab. It fails by throwing. */
export type SuiteTest = (lab: SuiteLab, conditions: RunConditions) => Promise<unknown>;

/** A suite of one test, in this process, which counts its runs. */
export interface TestedSuite extends Pick<VetOptions<SuiteLab>, "open" | "suite"> {
  runs(): number;
}

/** Creates a suite for `vet`, whose labs have these settings. */
export function suiteOf(test: SuiteTest, options: HallpassOptions = {}): TestedSuite {
  let runs = 0;
  return {
    open: async (probe) => {
      const lab = openLab({ issuer: "https://hallpass.test", ...options }, {
        probe,
        nest: nestChecked,
      });
      return { target: toSuiteLab(lab), close: () => lab.close() };
    },
    suite: {
      async run(lab, conditions): Promise<SuiteRun> {
        runs++;
        const passed = await test(lab, conditions).then(() => true, () => false);
        return { passed, milliseconds: 1 };
      },
    },
    runs: () => runs,
  };
}

/** Adds what every test library needs: a `fetch` as that of the platform. */
export function toSuiteLab(lab: Lab): SuiteLab {
  const fetch: TestLab["fetch"] = (input, init) =>
    lab.fetch(new Request(input, init as RequestInit));
  return { ...lab, context: lab.context, fetch };
}
