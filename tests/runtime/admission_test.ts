import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createAdmission } from "../../src/runtime/admission.ts";
import { createProcessorClock } from "../../src/runtime/turn.ts";

/** A thread whose time only its requests take. */
interface Thread {
  admission: ReturnType<typeof createAdmission>;
  time(): number;
  pass(ms: number): void;
  /** Lets time pass in which the process has no processor. */
  pause(ms: number): void;
  /** Lets a request come, and notes what becomes of it. */
  arrive(name: string): void;
  /** The same, of a sender that is known. */
  arriveFrom(sender: string | undefined, name: string): void;
  /** Ends a turn of the event loop. */
  endTurn(): Promise<void>;
}

/** How long a request takes, and a refusal, in milliseconds. */
const costs = { request: 1, refusal: 0.05 };

/** What became of requests, in order: "name" or "name refused". */
type Outcomes = string[];

function createThread(outcomes: Outcomes = []): Thread {
  let time = 0;
  let paused = 0;
  const steps: Array<() => void> = [];
  const turns: Array<() => void> = [];
  const admission = createAdmission({
    now: () => time,
    processorTime: () => time - paused,
    afterStep: (next) => void steps.push(next),
    afterTurn: (next) => void turns.push(next),
  });

  function finish(name: string, mayBegin: boolean): void {
    outcomes.push(mayBegin ? name : `${name} refused`);
    time += mayBegin ? costs.request : costs.refusal;
  }

  function arriveFrom(sender: string | undefined, name: string): void {
    if (admission.hasTime()) finish(name, true);
    else admission.wait(sender).then((mayBegin) => finish(name, mayBegin));
  }

  return {
    admission,
    time: () => time,
    pass: (ms) => void (time += ms),
    pause(ms) {
      time += ms;
      paused += ms;
    },
    arrive: (name) => arriveFrom(undefined, name),
    arriveFrom,
    async endTurn() {
      for (const endTurn of turns.splice(0)) endTurn();
      await settle();
      for (let step = steps.shift(); step; step = steps.shift()) {
        step();
        await settle();
      }
    },
  };
}

async function settle(): Promise<void> {
  for (let count = 0; count < 10; count++) await Promise.resolve();
}

/** Returns names of requests, beginning with a number. */
function names(count: number, first = 1): string[] {
  return Array.from({ length: count }, (_, n) => `${first + n}`);
}

/** What requests at a steady pace have met. */
interface PacedLoad {
  begun: number;
  refused: number;
  /** The longest wait until a request began or was refused, in milliseconds. */
  longest: number;
}

/** Sends requests for some seconds, and again at once for each that is refused. */
async function sendSteadily(
  perSecond: number,
  seconds: number,
  senderOf = (_: number): string | undefined => undefined,
): Promise<PacedLoad> {
  const outcomes: Outcomes = [];
  const { arriveFrom, endTurn, time, pass } = createThread(outcomes);
  let longest = 0;
  for (let sent = 0, seen = 0; time() < seconds * 1000;) {
    for (; sent * 1000 / perSecond <= time(); sent++) {
      arriveFrom(senderOf(sent), `${sent * 1000 / perSecond}`);
    }
    await endTurn();
    for (; seen < outcomes.length; seen++) {
      longest = Math.max(longest, time() - parseFloat(outcomes[seen] ?? ""));
    }
    pass(0.1);
  }
  const refused = outcomes.filter((outcome) => outcome.endsWith("refused")).length;
  return { begun: outcomes.length - refused, refused, longest };
}

describe("An admission", () => {
  it("lets requests begin at once while the turn has time", () => {
    const outcomes: Outcomes = [];
    const { arrive } = createThread(outcomes);
    names(12).forEach(arrive);
    assertEquals(outcomes, names(12));
  });

  it("V1: lets the others begin in the next turns, in the order in which they came", async () => {
    const outcomes: Outcomes = [];
    const { arrive, endTurn } = createThread(outcomes);
    names(40).forEach(arrive);
    assertEquals(outcomes, names(12));
    await endTurn();
    assert(outcomes.length >= 24 && outcomes.length < 40, `${outcomes.length} began.`);
    arrive("41");
    await endTurn();
    await endTurn();
    assertEquals(outcomes, names(41));
  });

  it("V1: refuses new requests at once while the oldest has waited for half a second", async () => {
    const outcomes: Outcomes = [];
    const { arrive, endTurn, pass } = createThread(outcomes);
    names(13).forEach(arrive);
    pass(499);
    arrive("14");
    pass(1);
    arrive("15");
    await endTurn();
    assertEquals(outcomes.slice(12), ["15 refused", "13 refused", "14"]);
    arrive("16");
    assertEquals(outcomes.at(-1), "16");
  });

  it("refuses nothing for the time in which the process had no processor", async () => {
    const outcomes: Outcomes = [];
    const { arriveFrom, endTurn, pause } = createThread(outcomes);
    // Alone, the process would need 300 ms; with a tenth of a processor, it needs ten times as long.
    names(300).forEach((name) => arriveFrom(`${Number(name) % 3}`, name));
    for (let turn = 0; turn < 40; turn++) {
      pause(90);
      await endTurn();
    }
    assertEquals(outcomes.filter((outcome) => outcome.endsWith("refused")), []);
    assertEquals(outcomes.length, 300);
  });

  it("V1: gives refusals a third of a slice, so that requests begin", async () => {
    const outcomes: Outcomes = [];
    const { arrive, endTurn, pass } = createThread(outcomes);
    names(13).forEach(arrive);
    pass(490);
    names(20, 14).forEach(arrive);
    pass(10);
    names(1000, 34).forEach(arrive);
    await endTurn();
    const refused = outcomes.filter((outcome) => outcome.endsWith("refused")).length;
    assertEquals([Math.round(refused / 10) * 10, outcomes.length - refused], [90, 20]);
  });

  it("V1: lets no more than 10,000 refusals wait", async () => {
    const outcomes: Outcomes = [];
    const { arrive, pass } = createThread(outcomes);
    names(13).forEach(arrive);
    pass(500);
    names(10_001, 14).forEach(arrive);
    await settle();
    assertEquals(outcomes.slice(12), ["10014 refused"]);
  });

  it("V1: lets no more than 10,000 overdue requests wait for their refusal", async () => {
    const outcomes: Outcomes = [];
    const { arrive, endTurn, pass } = createThread(outcomes);
    names(12).forEach(arrive);
    names(10_500, 13).forEach(arrive);
    pass(500);
    await endTurn();
    const refused = outcomes.filter((outcome) => outcome.endsWith("refused")).length;
    assert(refused >= 500, `${refused} were refused.`);
  });

  it("V1: lets senders take turns, and refuses those whose own requests have waited too long", async () => {
    const outcomes: Outcomes = [];
    const { arrive, arriveFrom, endTurn, pass } = createThread(outcomes);
    names(12).forEach(arrive);
    for (const name of names(40)) arriveFrom("flood", `flood ${name}`);
    for (const name of names(3)) arriveFrom("app", `app ${name}`);
    await endTurn();
    const turns = ["flood 1", "app 1", "flood 2", "app 2", "flood 3", "app 3", "flood 4"];
    assertEquals(outcomes.slice(12, 19), turns);
    pass(500);
    for (const sender of ["flood", "app"]) arriveFrom(sender, `${sender} late`);
    await endTurn();
    const last = outcomes.slice(-30);
    assert(last.includes("flood late refused"), last.join());
    assert(last.includes("app late"), last.join());
  });

  it("V1: makes the turn after a new connection a short one", async () => {
    const outcomes: Outcomes = [];
    const { admission, arrive, endTurn } = createThread(outcomes);
    names(40).forEach(arrive);
    admission.noteConnection();
    await endTurn();
    assertEquals(outcomes.length, 20);
    await endTurn();
    assert(outcomes.length >= 32, `${outcomes.length} began.`);
  });
});

describe("A thread that can handle almost 1,000 requests a second", () => {
  it("V1: refuses nothing at 80 % of that, in bursts neither", async () => {
    assertEquals((await sendSteadily(800, 10)).refused, 0);
    const outcomes: Outcomes = [];
    const { arrive, endTurn } = createThread(outcomes);
    names(400).forEach(arrive);
    for (let turn = 0; turn < 50; turn++) await endTurn();
    assertEquals(outcomes, names(400));
  });

  for (const factor of [1.5, 2, 5]) {
    it(`V1: at ${factor} times that, goes on, and lets nobody wait much longer than half a second`, async () => {
      const { begun, refused, longest } = await sendSteadily(factor * 1000, 10);
      assert(begun > 6_000 && refused > 1_000, `${begun} began, ${refused} were refused.`);
      assert(longest < 550, `${longest}`);
    });
  }

  for (const senders of [1, 20]) {
    it(`V1: serves an honest sender whom ${senders} others flood with twice that`, async () => {
      const outcomes: Outcomes = [];
      const { arriveFrom, endTurn, time, pass } = createThread(outcomes);
      for (let sent = 0; time() < 10_000;) {
        for (; sent < 2 * time(); sent++) {
          arriveFrom(`flood ${sent % senders}`, "flood");
          if (sent % 100 === 0) arriveFrom("honest", `honest ${sent}`);
        }
        await endTurn();
        pass(0.1);
      }
      const honest = outcomes.filter((outcome) => outcome.startsWith("honest"));
      assert(honest.length > 150, `${honest.length} of them arrived.`);
      assertEquals(honest.filter((outcome) => outcome.endsWith("refused")), []);
      const flood = outcomes.filter((outcome) => outcome === "flood").length;
      assert(flood > 6_000, `${flood} of the flood were served.`);
    });
  }

  it("V1: lets nobody wait much longer than half a second if 5,000 senders flood it", async () => {
    const { begun, refused, longest } = await sendSteadily(2000, 10, (n) => `${n % 5000}`);
    assert(begun > 6_000 && refused > 1_000, `${begun} began, ${refused} were refused.`);
    assert(longest < 550, `${longest}`);
  });
});

describe("The clock of a processor", () => {
  const spans: Array<[what: string, passed: number, used: number, counted: number]> = [
    ["what the process used", 100, 30, 30],
    ["no more than passed, although other threads worked", 100, 180, 100],
    ["a tenth of what passed, at least", 100, 0, 10],
    ["nothing anew within a millisecond", 0.9, 0.9, 0],
  ];
  for (const [what, passed, used, counted] of spans) {
    it(`counts ${what}`, () => {
      const times = { now: 1000, used: 500 };
      const clock = createProcessorClock(() => times.now, () => times.used);
      assertEquals(clock(), 0);
      times.now += passed;
      times.used += used;
      assertEquals(clock(), counted);
      assertEquals(clock(), counted);
    });
  }
});
