import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createSteadyClock } from "../../src/server/store/sqlite/steady_clock.ts";

const minute = 60 * 1000;

/** A machine whose clock can be set. */
function openMachine() {
  const machine = { time: 1000 * minute, elapsed: 5 * minute };
  return {
    clock: createSteadyClock(() => machine.time, () => machine.elapsed),
    pass(time: number) {
      machine.time += time;
      machine.elapsed += time;
    },
    set: (change: number) => void (machine.time += change),
  };
}

describe("The clock of a SQLite store", () => {
  it("agrees with that of the machine", () => {
    const { clock, pass } = openMachine();
    pass(3 * minute);
    assertEquals(clock.now(), 1003 * minute);
  });

  for (const change of [-40 * 60, -2, 2, 13 * 60]) {
    it(`R2: goes on when the clock of the machine is set by ${change} minutes`, () => {
      const { clock, pass, set } = openMachine();
      set(change * minute);
      clock.agree();
      pass(minute);
      assertEquals(clock.now(), 1001 * minute);
    });
  }

  it("V8: adopts a time that has lasted for an hour, as after a suspension", () => {
    const { clock, pass, set } = openMachine();
    set(120 * minute);
    const hourlyTimes = [0, 1, 2].map((hours) => {
      if (hours > 0) pass(60 * minute);
      return clock.now() / minute;
    });
    assertEquals(hourlyTimes, [1000, 1180, 1240]);
  });

  it("V8: waits anew when the clock is set again", () => {
    const { clock, pass, set } = openMachine();
    set(120 * minute);
    clock.now();
    pass(50 * minute);
    set(-60 * minute);
    assertEquals(clock.now() / minute, 1050);
    pass(50 * minute);
    assertEquals(clock.now() / minute, 1100);
    pass(10 * minute);
    assertEquals(clock.now() / minute, 1170);
  });

  it("follows small steps, each from one sweep to the next", () => {
    const { clock, set } = openMachine();
    for (let n = 0; n < 10; n++) {
      set(minute / 2);
      clock.agree();
    }
    assertEquals(clock.now(), 1005 * minute);
  });
});
