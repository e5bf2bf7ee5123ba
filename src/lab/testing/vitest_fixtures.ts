import type { HallpassOptions } from "./hallpass.ts";
import { type LabOfTest, type LabTest, openLabTest, printFlows } from "./lab_test.ts";

/** The part of the context of a test that decides what becomes of its lab. */
export interface VitestContext {
  /** The test. */
  task: { result?: { state?: string | undefined } | undefined };
  /** Adds a note to the report, from Vitest 3.2 on. */
  annotate?(
    message: string,
    attachment?: { contentType: string; body: string },
  ): PromiseLike<unknown>;
  /** The options of the lab. */
  hallpass: HallpassOptions;
}

/** The fixtures, as Vitest takes them. */
export interface VitestFixtures {
  /** The options of the lab, which a test may override. */
  hallpass: HallpassOptions;
  /** The lab of a test, in the process of the test. */
  lab: (context: VitestContext, use: (lab: LabOfTest) => Promise<void>) => Promise<void>;
}

/** Returns the fixtures of Vitest, which `hallpass/vitest` adds to its `test`. */
export function vitestFixtures(): VitestFixtures {
  return {
    hallpass: {},
    lab: async ({ hallpass, task, annotate }, use) => {
      const labTest = await openLabTest(hallpass);
      let passed = false;
      try {
        await use(labTest.lab);
        // Its own failure comes first: what the lab found would hide it.
        if (task.result?.state !== "fail") labTest.check();
        passed = task.result?.state !== "fail";
      } finally {
        if (!passed) await attach(labTest, { task, ...annotate && { annotate } });
        await labTest.close();
      }
    },
  };
}

/** Adds the flows of a test to its report, or prints them: what a test prints is shown with it. */
async function attach(
  labTest: LabTest,
  { task, annotate }: Pick<VitestContext, "task" | "annotate">,
): Promise<void> {
  if (annotate && await annotateFlows(labTest, annotate)) return;
  // The message of the check has the flows already.
  if (task.result?.state === "fail") await printFlows(labTest);
}

/** Returns whether the report took the flows. From Vitest 5 on, an ended test takes no notes. */
async function annotateFlows(
  labTest: LabTest,
  annotate: NonNullable<VitestContext["annotate"]>,
): Promise<boolean> {
  try {
    for (const { name, ...file } of await labTest.attachments()) await annotate(name, file);
    return true;
  } catch {
    return false;
  }
}
