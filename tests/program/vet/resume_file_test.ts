import { assertEquals, assertRejects } from "@std/assert";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { VetState } from "../../../src/lab/vet/vet_result.ts";
import { vetVariants } from "../../../src/lab/vet/vet_variants.ts";
import { UsageError } from "../../../src/program/terminal/usage_error.ts";
import { openResumeFile } from "../../../src/program/vet/resume_file.ts";
import { inFolder } from "../../support/folder.ts";
import { present } from "../../support/present.ts";

const variant = present(vetVariants.find(({ expectation }) => expectation === "refuse"));
const plain = { milliseconds: 1, steps: { token: 1 }, met: [variant.fault] };
const outcome = { ...variant, outcome: "accepted" } as const;
const options = { childCommand: ["npm", "test"] };

/** Reads a file that vet wrote and someone changed. */
async function readChanged(change: (content: Record<string, unknown>) => unknown) {
  return await inFolder(async (folder) => {
    const path = join(folder, "vet.json");
    const file = await openResumeFile(path, options);
    file.save({ plain, outcomes: [outcome] });
    await file.saved();
    const content = JSON.parse(await readFile(path, "utf8"));
    await writeFile(path, JSON.stringify(change(content)));
    return (await openResumeFile(path, options)).previous as VetState;
  });
}

describe("The file of an interrupted vet", () => {
  it("brings back what was found", async () => {
    assertEquals(await readChanged((content) => content), { plain, outcomes: [outcome] });
  });

  it("cannot make a weakness an expected outcome", async () => {
    const changed = { ...outcome, expectation: "either", see: "nothing" };
    const state = await readChanged((content) => ({ ...content, outcomes: [changed] }));
    assertEquals(state.outcomes, [outcome]);
  });

  const broken: Record<string, Record<string, unknown>> = {
    "a run without its steps": { plain: { milliseconds: 1, met: [] } },
    "a run that met no list": { plain: { ...plain, met: "all" } },
    "no outcome": { outcomes: [null] },
    "an outcome of no fault": { outcomes: [{ ...outcome, fault: "__proto__" }] },
    "an outcome that there is not": { outcomes: [{ ...outcome, outcome: "fine" }] },
    "tests that are no names": { outcomes: [{ ...outcome, tests: [1] }] },
  };
  for (const [what, members] of Object.entries(broken)) {
    it(`is refused with ${what}`, async () => {
      await assertRejects(
        () => readChanged((content) => ({ ...content, ...members })),
        UsageError,
        "was not written by vet",
      );
    });
  }
});
