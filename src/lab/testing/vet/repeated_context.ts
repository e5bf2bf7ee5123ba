/** What a test registers to be called after it. */
type Cleanup = () => unknown;

/** The callback of a test within a test. */
type InnerTest = (context: unknown) => unknown;

/** Methods with which a test runs another one within it, on Node and on Deno. */
const innerTests: readonly PropertyKey[] = ["test", "step"];
/** Methods with which a test cleans up, on Node and in Vitest. */
const cleanups: readonly PropertyKey[] = ["after", "onTestFinished"];
/** Methods that report to a runner, for which a repeated test has ended long ago. */
const reports: readonly PropertyKey[] = ["diagnostic", "plan", "onTestFailed"];

/** What only the context of a test has: on Node, on Deno, in Vitest. */
const marks: readonly PropertyKey[] = ["diagnostic", "step", "onTestFinished"];

/**
 * Returns the context of a test for its repetition: what the runner would call after the test is
 * added to `after`, and tests within the test just run. Any other value stays as it is.
 */
export function repeatedContext(value: unknown, after: Cleanup[]): unknown {
  if (!isContext(value)) return value;
  return new Proxy(value, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      if (innerTests.includes(name)) return (...args: unknown[]) => runInner(args, target, after);
      if (cleanups.includes(name)) return (cleanup: Cleanup) => void after.push(cleanup);
      if (reports.includes(name)) return () => {};
      // Methods of a class need their own object.
      return Object.hasOwn(target, name) ? member : member.bind(target);
    },
  });
}

function isContext(value: unknown): value is object {
  if (typeof value !== "object" && typeof value !== "function") return false;
  return value !== null && marks.some((mark) => mark in value);
}

/** Runs a test within a test. Its callback is the last argument, or a member of the only one. */
async function runInner(args: readonly unknown[], context: object, after: Cleanup[]) {
  const last = args.at(-1);
  const run = typeof last === "function" ? last : (last as { fn?: InnerTest } | undefined)?.fn;
  await run?.(repeatedContext(context, after));
  // Deno's steps resolve to whether they passed; a failed one has thrown.
  return true;
}
