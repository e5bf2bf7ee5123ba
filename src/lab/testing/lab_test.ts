import { type DrillRemarks, findingsOfDrills } from "../core/remarks.ts";
import { type Finding, findingToText, isFailure } from "../findings/finding.ts";
import { LabError } from "../util/lab_error.ts";
import { type HallpassOptions, openTestLab } from "./hallpass.ts";
import type { TestLab } from "./test_lab.ts";

/** The lab of one test, which fails if the application broke a rule. */
export interface LabOfTest extends TestLab {
  /**
   * Names rules that the application breaks in this test, such as `"code.redirect_uri"`. The test
   * fails if it breaks another one, or none of them.
   */
  expect(...rules: readonly string[]): void;
}

/** A file that a test runner attaches to a failed test. */
export interface LabAttachment {
  /** The name of the file. */
  name: string;
  /** The media type. */
  contentType: string;
  /** The content. */
  body: string;
}

/** A lab of a test, and what a runner does with it when the test has ended. */
export interface LabTest {
  /** The lab. */
  readonly lab: LabOfTest;
  /**
   * Checks what the application did.
   *
   * @throws {LabError} It broke a rule that the test does not expect, or none that it expects.
   */
  check(): void;
  /** Returns each flow of the test as text, as a Mermaid diagram and as HTML, without secrets. */
  attachments(): Promise<LabAttachment[]>;
  /** Closes the lab. */
  close(): Promise<void>;
}

/** What was found, as far as a test judges it. */
interface FoundByLab extends DrillRemarks {
  findings: readonly Finding[];
  refused: ReadonlyArray<Finding & { resolved: boolean }>;
}

/** The forms of a flow, by the ends of their files' names. */
const forms = {
  txt: ["text", "text/plain"],
  mmd: ["mermaid", "text/vnd.mermaid"],
  html: ["html", "text/html"],
} as const;

/** Members of features, any of which a project may have deleted. */
interface FeaturesOfTest {
  assertClean?(options: { refused: boolean }): void;
  report?(): FoundByLab;
  exportFlow?(id: string, form: (typeof forms)[keyof typeof forms][0]): Promise<string>;
}

/** A report with every flow of a long test would hide the one that failed. */
const maxFlows = 3;

/** Makes a lab, or a tenant, that of one test. */
export function labTestOf(opened: TestLab): LabTest {
  const expected = new Set<string>();
  const features: FeaturesOfTest = opened;
  const lab: LabOfTest = Object.assign(opened, {
    expect: (...rules: readonly string[]) => rules.forEach((rule) => expected.add(rule)),
  });
  return {
    lab,
    check() {
      if (expected.size === 0) features.assertClean?.({ refused: true });
      else checkExpected(features.report?.(), [...expected]);
    },
    attachments: () => attachFlows(lab, features),
    close: () => lab.close(),
  };
}

/** Opens a lab for one test, in this process, which ends even if the test forgets to close it. */
export async function openLabTest(options: HallpassOptions = {}): Promise<LabTest> {
  return labTestOf(await openTestLab(options, { holdsProcess: false }));
}

/** A lab that checks and closes itself at the end of a test. */
export interface CheckedLab extends LabOfTest {
  /**
   * Ends the test: write it last.
   *
   * @throws {LabError} The application broke a rule that the test does not expect.
   */
  check(): void;
}

/**
 * Opens a lab for one test, which ends with `lab.check()`. Without that, the test has failed, and
 * the flows are printed: an error at the end of a `using` block would hide the test's own.
 *
 * @example
 * ```ts
 * import { labForTest } from "@hallpass/hallpass/fixtures";
 *
 * await using lab = await labForTest();
 * await lab.mint({ sub: "alice" });
 * lab.check();
 * ```
 */
export async function labForTest(options?: HallpassOptions): Promise<CheckedLab> {
  const labTest = await openLabTest(options);
  let isOver = false;
  return Object.assign(labTest.lab, {
    check() {
      isOver = true;
      labTest.check();
    },
    async [Symbol.asyncDispose]() {
      if (!isOver) await printFlows(labTest);
      await labTest.close();
    },
  });
}

/**
 * Wraps a test so that it gets a new lab, for `node:test`, Deno, Bun and Jest. It fails if the
 * application breaks a rule that the test does not expect. If the test itself fails, its error
 * stays, and the flows are printed.
 *
 * @example
 * ```ts ignore
 * import { withLab } from "@hallpass/hallpass/fixtures";
 *
 * test("signs in", withLab(async (lab) => {
 *   const { callback } = await lab.authorize(await beginLogin(lab.issuer), { user: "alice" });
 * }));
 * ```
 */
export function withLab(
  test: (lab: LabOfTest) => unknown,
  options?: HallpassOptions,
): () => Promise<void> {
  return async () => {
    const labTest = await openLabTest(options);
    try {
      await test(labTest.lab);
      labTest.check();
    } catch (cause) {
      // The message of the check has the flows already.
      if (!(cause instanceof LabError)) await printFlows(labTest);
      throw cause;
    } finally {
      await labTest.close();
    }
  };
}

function checkExpected(found: FoundByLab | undefined, expected: readonly string[]): void {
  if (!found) return;
  const { findings, refused } = found;
  const broken = [...findings, ...refused, ...findingsOfDrills(found)].filter((each) =>
    isFailure(each, { refused: true })
  );
  const missing = expected.filter((rule) => !broken.some(({ id }) => id === rule));
  const others = broken.filter(({ id }) => !expected.includes(id));
  const problems = [
    ...missing.map((rule) => `The application did not break '${rule}', which the test expects.`),
    ...others.map((each) => findingToText(each)),
  ];
  if (problems.length > 0) throw new LabError(problems.join("\n"));
}

async function attachFlows(
  { flows, clock, issuer }: LabOfTest,
  { exportFlow }: FeaturesOfTest,
): Promise<LabAttachment[]> {
  const time = `At ${issuer}, when its clock said ${new Date(clock.now()).toISOString()}:`;
  const newest = exportFlow ? flows().slice(-maxFlows) : [];
  const entries = newest.flatMap(({ id }) =>
    Object.entries(forms).map(async ([end, [form, contentType]]): Promise<LabAttachment> => {
      const text = await exportFlow?.(id, form) ?? "";
      return {
        name: `hallpass-${id}.${end}`,
        contentType,
        body: form === "text" ? `${time}\n\n${text}` : text,
      };
    })
  );
  return await Promise.all(entries);
}

export async function printFlows(labTest: LabTest): Promise<void> {
  for (const { name, body } of await labTest.attachments()) {
    if (name.endsWith(".txt")) console.error(`\n${body}`);
  }
}
