type Callback = (...args: unknown[]) => unknown;

/** How a test or a hook of a fake runner ended: undefined if it passed. */
export type FakeOutcomes = Record<string, string | undefined>;

type AddTest = (name: string, run: Callback) => void;

/** The functions of a runner, as Vitest and Jest have them. */
export interface FakeRunner {
  test: AddTest & { each: (rows: readonly unknown[]) => AddTest; skip: AddTest };
  describe(name: string, register: () => void): void;
  beforeAll(run: Callback): void;
  afterAll(run: Callback): void;
  beforeEach(run: Callback): void;
  afterEach(run: Callback): void;
}

/** A runner with what became of each test. */
export interface RunnableTests {
  runner: FakeRunner;
  outcomes: FakeOutcomes;
  run(): Promise<void>;
}

interface Group {
  before: Callback[];
  beforeEach: Callback[];
  afterEach: Callback[];
  after: Callback[];
  entries: Array<() => Promise<void>>;
}

/** A test runner that runs what was registered when `run` is called. */
export function createFakeRunner(): RunnableTests {
  const outcomes: FakeOutcomes = {};
  const stack: Group[] = [newGroup()];
  const current = () => stack.at(-1) ?? newGroup();

  async function runGroup({ before, after, entries }: Group): Promise<void> {
    for (const hook of before) await hook();
    for (const entry of entries) await entry();
    for (const hook of after) await hook();
  }

  function addTest(name: string, run: Callback, ...args: unknown[]): void {
    const groups = [...stack];
    current().entries.push(async () => {
      try {
        for (const group of groups) for (const hook of group.beforeEach) await hook();
        await run(...args);
        outcomes[name] = undefined;
      } catch (cause) {
        outcomes[name] = cause instanceof Error ? cause.message : String(cause);
      } finally {
        for (const group of groups) for (const hook of group.afterEach) await hook();
      }
    });
  }

  const each = (rows: readonly unknown[]): AddTest => (name, run) =>
    rows.forEach((row) => addTest(name.replace("%s", String(row)), run, row));
  const test: FakeRunner["test"] = Object.assign(
    (name: string, run: Callback): void => addTest(name, run),
    { each, skip: () => {} },
  );
  return {
    outcomes,
    run: async () => await runGroup(stack[0] ?? newGroup()),
    runner: {
      test,
      /** Like Vitest, it runs the callback of a group later. */
      describe(_name, register) {
        const group = newGroup();
        current().entries.push(async () => {
          stack.push(group);
          register();
          await runGroup(group);
          stack.pop();
        });
      },
      beforeAll: (run) => void current().before.push(run),
      afterAll: (run) => void current().after.push(run),
      beforeEach: (run) => void current().beforeEach.push(run),
      afterEach: (run) => void current().afterEach.push(run),
    },
  };
}

function newGroup(): Group {
  return { before: [], beforeEach: [], afterEach: [], after: [], entries: [] };
}
