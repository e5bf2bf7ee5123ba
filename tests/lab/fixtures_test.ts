import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import {
  labForTest,
  type LabOfTest,
  playwrightFixtures,
  type PlaywrightTestInfo,
  vitestFixtures,
  withLab,
} from "../../src/lab/testing/fixtures.ts";
import { hallpass, LabError } from "../../src/lab/testing/mod.ts";
import { itWith } from "../support/it_with.ts";
import { freshTokens, freshUrl, login } from "../support/login.ts";
import { needs } from "../support/where_feature.ts";

const it = itWith({
  withReportAndFlowFiles: needs("report", "flow_files"),
  withFlowFiles: needs("flow_files"),
});

/** A bug of an application: it has the same verifier twice. */
async function reuseVerifier(lab: LabOfTest): Promise<void> {
  for (let at = 0; at < 2; at++) await freshTokens(lab);
}

const own = new Error("its own failure");
const failing = async (lab: LabOfTest) => {
  await reuseVerifier(lab);
  throw own;
};

/** What a test does, and what it fails with: a text, an error, or nothing. */
const tests: Record<
  string,
  [test: (lab: LabOfTest) => unknown, failure: string | Error | undefined]
> = {
  "a login that breaks no rule": [(lab) => login(lab), undefined],
  "a broken rule": [reuseVerifier, "C challenge-reused (client demo-spa)"],
  "a refused request": [
    (lab) =>
      lab.fetch(`${lab.issuer}/oauth2/token`, { method: "POST", body: new URLSearchParams() }),
    "refused ",
  ],
  "its own failure": [failing, own],
  "a broken rule that it expects": [
    async (lab) => {
      lab.expect("challenge-reused");
      await reuseVerifier(lab);
    },
    undefined,
  ],
  "a broken rule that it does not expect, and one that it does": [
    async (lab) => {
      lab.expect("challenge-reused");
      await reuseVerifier(lab);
      await lab.fetch(`${lab.issuer}/oauth2/token`, { method: "POST" });
    },
    "refused ",
  ],
  "an expected rule that nothing broke": [
    (lab) => lab.expect("challenge-reused"),
    "did not break 'challenge-reused'",
  ],
};

/** What a runner of tests does with a test: it returns how it failed. */
type Runner = (test: (lab: LabOfTest) => unknown) => Promise<unknown>;

const attached: string[] = [];

const runners: Record<string, Runner> = {
  withLab: (test) => withLab(test)().catch((cause) => cause),
  labForTest: (test) =>
    attempt(async () => {
      await using lab = await labForTest();
      await test(lab);
      lab.check();
    }),
  async "hallpass/vitest"(test) {
    const { lab } = vitestFixtures();
    const task: { result?: { state: string } } = {};
    let failure: unknown;
    const annotate = async (message: string) => void attached.push(message);
    const ended = lab({ hallpass: {}, task, annotate }, async (given) => {
      failure = await attempt(() => test(given));
      if (failure) task.result = { state: "fail" };
    });
    const caught = await ended.then(() => undefined, (cause) => cause);
    return failure ?? caught;
  },
  async "hallpass/playwright"(test) {
    await using workerLab = await hallpass();
    const { lab } = playwrightFixtures();
    let failure: unknown;
    const testInfo: PlaywrightTestInfo = {
      status: "passed",
      expectedStatus: "passed",
      attach: async (name) => void attached.push(name),
    };
    const ended = lab({ workerLab, hallpass: {} }, async (given) => {
      failure = await attempt(() => test(given));
      if (failure) testInfo.status = "failed";
    }, testInfo);
    const caught = await ended.then(() => undefined, (cause) => cause);
    return failure ?? caught;
  },
};

async function attempt(act: () => unknown): Promise<unknown> {
  try {
    await act();
    return undefined;
  } catch (cause) {
    return cause;
  }
}

describe("A test with a lab", () => {
  for (const [name, run] of Object.entries(runners)) {
    for (const [title, [test, failure]] of Object.entries(tests)) {
      it(`ends as it should after ${title}: ${name}`, needs("report"), async () => {
        const error = console.error;
        console.error = () => {};
        attached.length = 0;
        const failed = await run(test).finally(() => console.error = error);
        if (typeof failure !== "string") return assertEquals(failed, failure);
        assertEquals(failed instanceof LabError, true);
        assertStringIncludes(String(failed), failure);
      });
    }
  }

  for (const name of ["hallpass/vitest", "hallpass/playwright"]) {
    it.withReportAndFlowFiles(`attaches its flows if it fails, and only then: ${name}`, async () => {
      attached.length = 0;
      await runners[name]?.((lab) => freshTokens(lab));
      assertEquals(attached, []);
      await runners[name]?.(async (lab) => {
        await freshTokens(lab);
        throw own;
      });
      assertEquals(attached, [
        ...["hallpass-flow-1.txt", "hallpass-flow-1.mmd", "hallpass-flow-1.html"],
      ]);
    });
  }

  it.withFlowFiles("prints its flows if a 'using' block ends before its check, and only then", async () => {
    const printed = await printedBy(async () => {
      await using lab = await labForTest();
      await freshTokens(lab);
      lab.check();
    });
    assertEquals(printed, "");
    const failed = await printedBy(async () => {
      await using lab = await labForTest();
      await freshTokens(lab);
      throw own;
    });
    assertStringIncludes(failed, "│");
  });

  it.withFlowFiles("prints its flows if it fails by itself, with the clock of the lab", async () => {
    const printed = await printedBy(withLab(async (lab) => {
      lab.clock.freeze();
      lab.clock.set("2030-01-01T00:00:00Z");
      await lab.authorize(freshUrl(lab), { user: "alice" });
      throw own;
    }));
    assertStringIncludes(printed, "when its clock said 2030-01-01T00:00:00");
    assertStringIncludes(printed, "│");
  });
});

/** Returns what a test prints, which may fail. */
async function printedBy(test: () => Promise<void>): Promise<string> {
  const printed: string[] = [];
  const error = console.error;
  console.error = (text: string) => void printed.push(text);
  await attempt(test).finally(() => console.error = error);
  return printed.join("");
}

const passing = { status: "passed", expectedStatus: "passed", attach: async () => {} };

describe("A test of Playwright", () => {
  it("has the clients and users of the options", async () => {
    await using workerLab = await hallpass();
    const { lab } = playwrightFixtures();
    const options = {
      listen: 0,
      labToken: "0123456789abcdef",
      clients: [{ id: "shop", redirectUris: ["https://shop.example/in"] }],
      users: [{ name: "zoe" }],
    };
    const names: unknown[] = [];
    await lab({ workerLab, hallpass: options }, async ({ clients, users }) => {
      names.push(clients.list()[0]?.id, users.list()[0]?.name);
    }, passing);
    assertEquals(names, ["shop", "zoe"]);
  });

  it("has the issuer that its application knows, one test after the other", async () => {
    await using workerLab = await hallpass();
    const { lab } = playwrightFixtures();
    const issuer = "https://login.example.com";
    const seen: string[] = [];
    for (let at = 0; at < 2; at++) {
      const run = async ({ issuer }: LabOfTest) => void seen.push(issuer);
      await lab({ workerLab, hallpass: { issuer } }, run, passing);
    }
    assertEquals(seen, [issuer, issuer]);
  });
});
