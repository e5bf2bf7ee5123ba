import { wholeLabSettings } from "../lab_server/json_settings.ts";
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

/**
 * The options of the lab of a worker. With an `issuer`, each test has a lab of that name, for
 * applications that know no other one: `lab.route(page)` brings their requests to it.
 */
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
    fixtures: { workerLab: TestLab; hallpass: HallpassWorkerOptions },
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
      const lab = await hallpass({ listen: true, ...entriesOf(options, isOfWorker) });
      await use(lab);
      await lab.close();
    }, { scope: "worker" }],
    async lab({ workerLab, hallpass: options }, use, testInfo) {
      // One test runs after the other: each may have the issuer that the application knows.
      const tenant = await workerLab.tenant(entriesOf(options, (name) => !isOfWorker(name)));
      const labTest = labTestOf(tenant);
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
    },
    signIn: async ({ lab }, use) => await use((page, user) => signInOn(lab, page, user)),
  };
}

/** Whether an option is about the port, or about what the labs of all tests share. */
function isOfWorker(name: string): boolean {
  return ["listen", "tls"].includes(name) || Object.hasOwn(wholeLabSettings, name);
}

function entriesOf<T extends object>(options: T, isWanted: (name: string) => boolean): Partial<T> {
  // Some of the same entries.
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => isWanted(name)),
  ) as Partial<T>;
}

async function signInOn(lab: LabOfTest, page: FixturePage, user: string): Promise<void> {
  lab.signIn(user);
  if (!page.url().startsWith(lab.issuer)) return;
  await page.click(`#one-click-${user}`);
  // The page ignores clicks for half a second after it opens.
  if (page.url().startsWith(lab.issuer)) await page.click("#allow:not([aria-disabled])");
}
