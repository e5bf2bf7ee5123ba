import { features } from "../../src/lab/features.ts";
import { loadCompletion } from "../../src/lab/handling/complete_settings.ts";
import { openLab } from "../../src/lab/open_lab.ts";
import type { HallpassOptions, TestLab } from "../../src/lab/testing/mod.ts";
import { toTestLab } from "../../src/lab/testing/test_lab.ts";
import { createWaits, type Waits } from "../../src/lab/util/waits.ts";

/** Opens a lab that waits for next to no time: an application in this process needs none. */
export async function openHurriedLab(options: HallpassOptions = {}): Promise<TestLab> {
  const config = (await loadCompletion(options, features))({
    issuer: "https://hallpass.test",
    ...options,
  });
  const waits = createWaits();
  const hurried: Waits = {
    ...waits,
    wait: (milliseconds) => waits.wait(milliseconds / 100),
    within: (milliseconds, promise) => waits.within(milliseconds / 10, promise),
  };
  return toTestLab(openLab(config, { waits: hurried }));
}
