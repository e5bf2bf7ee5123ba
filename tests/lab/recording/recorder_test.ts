import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { examinations } from "../../../src/lab/recording/examination_schedule.ts";
import { createRecorder } from "../../../src/lab/recording/recorder.ts";

const most = 2000;
const steps = Array.from({ length: examinations }, (_, step) => step);

/** Records exchanges with bodies of these lengths, and returns what each step was shown. */
function examine(lengths: readonly number[]) {
  let id = 0;
  const shown = steps.map((): Array<[oldest: number, newest: number]> => []);
  const recorder = createRecorder(() => ++id, (step) => {
    const ids = recorder.all().map((each) => each.id);
    const range: [number, number] = [ids[0] ?? 0, ids.at(-1) ?? 0];
    for (const each of step === undefined ? steps : [step]) shown[each]?.push(range);
  });
  for (const length of lengths) {
    const query = new URLSearchParams();
    const request = { method: "GET", path: "/", url: "", headers: {}, body: "x".repeat(length) };
    recorder.record({
      ...{ began: 0, at: 0, request: { ...request, query, form: query }, faults: [] },
      ...{ events: [], rules: [], concerns: {} },
    }, recorder.mark());
  }
  const [oldest = { id: 0 }] = recorder.all();
  return { shown, forgotten: oldest.id - 1 };
}

/** Returns the exchanges that some step never saw together with a later one. */
function missed({ shown, forgotten }: ReturnType<typeof examine>, distance = 0): number[] {
  const isShown = (id: number) =>
    shown.every((ranges) => ranges.some(([from, to]) => from <= id && id + distance <= to));
  return Array.from({ length: forgotten }, (_, at) => at + 1).filter((id) => !isShown(id));
}

describe("What a record shows before it forgets it", () => {
  it("is each exchange with those up to 1,000 later", () => {
    assertEquals(missed(examine(Array(4 * most).fill(0)), 1000), []);
  });

  for (const large of [100, 300, 530]) {
    it(`is each exchange when small ones follow ${large} that fill the memory`, () => {
      const filling = Math.ceil(128 * 2 ** 20 / large / 2);
      const lengths = [...Array(2 * large).fill(filling), ...Array(2 * most).fill(0)];
      assertEquals(missed(examine(lengths)), []);
    });
  }
});
