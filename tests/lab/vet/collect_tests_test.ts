import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass as openOtherLab, type TestLab } from "../../../src/lab/testing/mod.ts";
import {
  type CollectedTests,
  collectTests,
  type VetTestOptions,
  type VetTestResult,
} from "../../../src/lab/testing/vet.ts";
import {
  type Carefulness,
  createApplication,
  drilledClient,
  origin,
} from "../../support/drilled_application.ts";
import { createFakeRunner, type FakeOutcomes, type FakeRunner } from "../../support/fake_runner.ts";

const only = ["callback.wrong_state", "id_token.wrong_nonce", "id_token.wrong_aud"] as const;

const vetTitle = "the tests notice attacks";

/** Signs Alice in. Throws if the application shows no page to her. */
async function signIn(lab: TestLab, carefulness: Carefulness): Promise<void> {
  lab.clients.put(drilledClient());
  const application = createApplication(lab, carefulness);
  const begun = await application(new Request(`${origin}/login`));
  const Cookie = begun.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  const { callback } = await lab.authorize(begun.headers.get("Location") ?? "", { user: "alice" });
  const { status } = await application(new Request(callback, { headers: { Cookie } }));
  assertEquals(status, 302);
}

type Collected = CollectedTests<FakeRunner>;

/** What became of a file of tests. */
interface VettedFileResult {
  outcomes: FakeOutcomes;
  result: VetTestResult | undefined;
}

/** Runs a file of tests that ends with `vet`. */
async function vetFile(
  define: (collected: Collected) => void,
  options: VetTestOptions = {},
): Promise<VettedFileResult> {
  const { runner, run, outcomes } = createFakeRunner();
  const collected = collectTests(runner);
  define(collected);
  let result: VetTestResult | undefined;
  collected.vet({ only, ...options, onResult: (each) => void (result = each) });
  await run();
  return { outcomes, result };
}

function loginFile(carefulness: Carefulness) {
  return ({ test, hallpass }: Collected) => {
    test("signs Alice in", async () => {
      await using lab = await hallpass();
      await signIn(lab, carefulness);
    });
  };
}

describe("Vet in a test file", () => {
  it("passes if a test notices each attack, and names the test", async () => {
    const { outcomes, result } = await vetFile(loginFile("careful"));
    assertEquals(outcomes, { "signs Alice in": undefined, [vetTitle]: undefined });
    assertEquals([result?.report.noticed, result?.report.total], [3, 3]);
    const { variants = [] } = result?.report ?? {};
    for (const { tests } of variants) assertEquals(tests, ["signs Alice in"]);
  });

  it("fails if the client accepts an attack, and says which", async () => {
    const { outcomes } = await vetFile(loginFile("careless"));
    assertEquals(outcomes["signs Alice in"], undefined);
    const message = outcomes[vetTitle] ?? "";
    assertStringIncludes(message, "Your tests would notice 0 of 3 attacks.");
    assertStringIncludes(message, "Accepted by the client, and noticed by no test (3)");
    assertStringIncludes(message, "3 findings: callback.wrong_state");
  });

  it("passes with a baseline of the findings, unless more attacks must be noticed", async () => {
    const { baseline } = (await vetFile(loginFile("careless"))).result ?? {};
    const { outcomes } = await vetFile(loginFile("careless"), { baseline });
    assertEquals(outcomes[vetTitle], undefined);
    const strict = await vetFile(loginFile("careless"), { baseline, failUnder: 50 });
    assertStringIncludes(strict.outcomes[vetTitle] ?? "", "they must notice 50 %");
  });

  it("repeats tests with a lab that the file keeps open", async () => {
    const { result, outcomes } = await vetFile(({ test, hallpass, beforeAll, afterAll }) => {
      let lab: TestLab;
      beforeAll(async () => void (lab = await hallpass()));
      test("signs Alice in", async () => await signIn(lab, "careful"));
      afterAll(() => lab.close());
    });
    assertEquals(outcomes[vetTitle], undefined);
    assertEquals(result?.report.noticed, 3);
  });

  it("repeats hooks in their order, but not those around the file", async () => {
    const calls: string[] = [];
    const note = (name: string) => () => void calls.push(name);
    const { outcomes } = await vetFile((collected) => {
      const { test, describe, beforeAll, afterAll, beforeEach, afterEach } = collected;
      beforeAll(note("open"));
      beforeEach(note("before"));
      describe("a group", () => {
        beforeAll(note("open group"));
        test("within", note("within"));
        afterAll(note("close group"));
      });
      test("outside", note("outside"));
      afterEach(note("after"));
      afterAll(note("close"));
    });
    const repeated = "open group,before,within,after,close group,before,outside,after";
    assertEquals(calls.join(), `open,${repeated},before,${repeated},after,close`);
    assertStringIncludes(outcomes[vetTitle] ?? "", "sent no request to a lab");
  });

  it("repeats the rows of a table, and leaves out what is skipped", async () => {
    const calls: string[] = [];
    await vetFile(({ test }) => {
      test.each(["a", "b"])("row %s", (row) => void calls.push(String(row)));
      test.skip("skipped", () => void calls.push("skipped"));
    });
    assertEquals(calls, ["a", "b", "a", "b"]);
  });

  it("names a test with the groups around it", async () => {
    const { result } = await vetFile(({ describe, test, hallpass }) => {
      describe("login", () => {
        describe("of Alice", () => {
          test("works", async () => {
            await using lab = await hallpass();
            await signIn(lab, "careful");
          });
        });
      });
    });
    const [tests] = result?.report.variants.map((each) => each.tests) ?? [];
    assertEquals(tests, ["login > of Alice > works"]);
  });
});

/** Files that cannot be vetted, and the message. */
const unfit: ReadonlyArray<[title: string, define: (collected: Collected) => void, text: string]> =
  [
    ["no test has run", () => {}, "No test ran before vet."],
    [
      "the tests use another lab",
      ({ test }) =>
        test("signs Alice in", async () => {
          await using lab = await openOtherLab();
          await signIn(lab, "careful");
        }),
      "The tests sent no request to a lab. Open it with the hallpass that collectTests returns.",
    ],
    [
      "a test cannot be repeated",
      ({ test }) => {
        let runs = 0;
        test("runs once", () => assert(runs++ === 0, "It ran before."));
      },
      "These tests fail when they are repeated, although nothing is wrong:\nruns once: It ran before.",
    ],
    [
      "a test fails now and then",
      ({ test, hallpass }) => {
        let runs = 0;
        test("signs Alice in", async () => {
          await using lab = await hallpass();
          await signIn(lab, "careful");
          assert(runs++ < 2, "It is tired.");
        });
      },
      "As long as its runs differ",
    ],
  ];

describe("A test file that cannot be vetted", () => {
  for (const [title, define, text] of unfit) {
    it(`fails with a plain sentence: ${title}`, async () => {
      const { outcomes } = await vetFile(define);
      assertStringIncludes(outcomes[vetTitle] ?? "", text);
    });
  }

  it("is refused without a test function, or with a wrong time", () => {
    assertThrows(() => collectTests({}).vet(), Error, "needs the 'test' or the 'it'");
    const { vet } = collectTests(createFakeRunner().runner);
    assertThrows(() => vet({ timeout: "soon" as "1s" }), Error, "must be a duration");
  });

  it("ends a test that hangs, and counts it as noticed", async () => {
    const { result } = await vetFile(({ test, hallpass }) => {
      test("waits", async () => {
        await using lab = await hallpass();
        await signIn(lab, "careful").catch(() => new Promise(() => {}));
      });
    }, { runTimeout: "1s" });
    assertEquals(result?.report.noticed, 3);
  });
});
