import { hallpass, type HallpassOptions } from "./hallpass.ts";
import { type LabOfTest, labTestOf } from "./lab_test.ts";
import type { TestLab } from "./test_lab.ts";

/** The part of a page that a sign-in needs. */
export interface FixturePage {
  /** Returns where the page is. */
  url(): string;
  /** Clicks what a selector finds. */
  click(selector: string): Promise<void>;
}

/** The part of a test that decides what becomes of its lab. */
export interface PlaywrightTestInfo {
  /** How the test ended so far. */
  status?: string | undefined;
  /** How it should end. */
  expectedStatus: string;
  /** Adds a file to the report. */
  attach(name: string, file: { body: string; contentType: string }): Promise<void>;
}

/** The options of the lab of a worker. */
export type HallpassWorkerOptions = HallpassOptions;

/** Signs a user in: hands-free from the next request on, and on the page, if it is the lab's. */
export type SignIn = (page: FixturePage, user: string) => Promise<void>;

/** Runs the test with a fixture. */
export type UseFixture<T> = (value: T) => Promise<void>;

/** The fixtures, as Playwright takes them. */
export interface PlaywrightFixtures {
  /** The options of the lab, for `use: { hallpass: { … } }`. */
  hallpass: [HallpassWorkerOptions, { option: true; scope: "worker" }];
  /** The lab of a worker, which listens on a free port. */
  workerLab: [
    (
      fixtures: { hallpass: HallpassWorkerOptions },
      use: UseFixture<TestLab>,
    ) => Promise<void>,
    { scope: "worker" },
  ];
  /** The lab of a test: a tenant with its own issuer, clients, users, clock and records. */
  lab: (
    fixtures: { workerLab: TestLab },
    use: UseFixture<LabOfTest>,
    testInfo: PlaywrightTestInfo,
  ) => Promise<void>;
  /** Signs a user in. */
  signIn: (fixtures: { lab: LabOfTest }, use: UseFixture<SignIn>) => Promise<void>;
}

/** Returns the fixtures of Playwright, which `hallpass/playwright` adds to its `test`. */
export function playwrightFixtures(): PlaywrightFixtures {
  return {
    hallpass: [{}, { option: true, scope: "worker" }],
    workerLab: [async ({ hallpass: options }, use) => {
      const lab = await hallpass({ listen: true, ...options });
      await use(lab);
      await lab.close();
    }, { scope: "worker" }],
    lab: async ({ workerLab }, use, testInfo) => await useTenant(workerLab, use, testInfo),
    signIn: async ({ lab }, use) => await use((page, user) => signInOn(lab, page, user)),
  };
}

async function useTenant(
  workerLab: TestLab,
  use: UseFixture<LabOfTest>,
  testInfo: PlaywrightTestInfo,
): Promise<void> {
  const labTest = labTestOf(await workerLab.tenant());
  let isAsExpected = false;
  try {
    await use(labTest.lab);
    // Its own failure comes first: what the lab found would hide it.
    if (testInfo.status === "passed") labTest.check();
    isAsExpected = testInfo.status === testInfo.expectedStatus;
  } finally {
    for (const { name, ...file } of isAsExpected ? [] : await labTest.attachments()) {
      await testInfo.attach(name, file);
    }
    await labTest.close();
  }
}

async function signInOn(lab: LabOfTest, page: FixturePage, user: string): Promise<void> {
  lab.signIn(user);
  if (!page.url().startsWith(lab.issuer)) return;
  await page.click(`#one-click-${user}`);
  // The page ignores clicks for half a second after it opens.
  if (page.url().startsWith(lab.issuer)) await page.click("#allow:not([aria-disabled])");
}
