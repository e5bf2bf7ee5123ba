/**
 * The functions of `node:test` that these tests use, on Deno. Deno's own module exits with 0 when a
 * hook throws, a promise rejects late or a file fails to load; flat calls of `Deno.test` do not.
 */
type Body = () => void | Promise<void>;

interface Options {
  /** Why the test cannot run here. */
  skip?: string | false | undefined;
}

interface Group {
  name: string;
  before: Body[];
  after: Body[];
}

const groups: Group[] = [];

export function describe(name: string, define: () => void): void {
  groups.push({ name, before: [], after: [] });
  const defined: unknown = define();
  groups.pop();
  if (defined instanceof Promise) throw new TypeError(`describe("${name}") must not be async.`);
}

export function it(name: string, options: Options | Body, body?: Body): void {
  const run = typeof options === "function" ? options : body;
  const skip = typeof options === "object" && options.skip;
  const around = [...groups];
  if (!run) throw new TypeError(`it("${name}") has no body.`);
  Deno.test({
    name: [...around.map((group) => group.name), name].join(" > ") +
      (skip ? ` (skipped: ${skip})` : ""),
    ignore: Boolean(skip),
    fn: async () => {
      for (const group of around) for (const hook of group.before) await hook();
      try {
        await run();
      } finally {
        for (const group of around.toReversed()) for (const hook of group.after) await hook();
      }
    },
  });
}

export function beforeEach(hook: Body): void {
  groups.at(-1)?.before.push(hook);
}

export function afterEach(hook: Body): void {
  groups.at(-1)?.after.push(hook);
}
