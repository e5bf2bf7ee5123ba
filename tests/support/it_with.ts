import { it } from "node:test";

/**
 * What is opened for each test of a kind, or what runs around it, or when it is skipped; `around`
 * gives a test what it needs, and ends that afterwards.
 */
// deno-lint-ignore no-explicit-any
type Kind = (() => unknown) | Partial<Options> & { open?(): unknown; around?: Around<any[]> };

type Kinds = Readonly<Record<string, Kind>>;

type Around<Given extends unknown[]> = (
  act: (...given: Given) => Promise<void>,
) => Promise<unknown>;

/** Adds a test that is given what was opened for it, and which is closed after the test. */
interface ItWith<Given extends unknown[]> {
  (title: string, act: Act<Given>): void;
  (title: string, options: Options, act: Act<Given>): void;
}

interface Options {
  skip: string | false;
}

type Act<Given extends unknown[]> = (...given: Given) => unknown;

type Opened<Own> = Own extends () => infer Given ? [Awaited<Given>]
  : Own extends { open(): infer Given } ? [Awaited<Given>]
  : Own extends { around: Around<infer Given> } ? Given
  : [];

type ItWithEach<Own extends Kinds> = typeof it & { [Name in keyof Own]: ItWith<Opened<Own[Name]>> };

/**
 * Returns `it` with kinds of tests: after
 * `const it = itWith({ inLab: () => hallpass(), withFaults: needs("faults") })`, each
 * `it.inLab("mints", async (lab) => …)` has a lab of its own, and each `it.withFaults(…)` is
 * skipped without that feature.
 */
export function itWith<const Own extends Kinds>(own: Own): ItWithEach<Own> {
  const kinds = Object.entries<Kind>(own).map(([name, kind]) => {
    const { skip = false, open, around } = typeof kind === "function" ? { open: kind } : kind;
    const run: Around<unknown[]> = around ?? inOpened(open);
    const itGiven: ItWith<unknown[]> = (
      title: string,
      first: Options | Act<unknown[]>,
      second?: Act<unknown[]>,
    ) => {
      const [options, act] = typeof first === "function" ? [{ skip }, first] : [first, second];
      it(
        title,
        options,
        async () => void await run(async (...given) => void await act?.(...given)),
      );
    };
    return [name, itGiven];
  });
  const plain: typeof it = it.bind(undefined);
  return Object.assign(plain, Object.fromEntries(kinds));
}

function inOpened(open?: () => unknown): Around<unknown[]> {
  return async (act) => {
    const given = await open?.();
    await using _ = disposableOf(given);
    await act(given);
  };
}

function disposableOf(given: unknown): AsyncDisposable | Disposable | undefined {
  const isDisposable = given instanceof Object &&
    (Symbol.asyncDispose in given || Symbol.dispose in given);
  return isDisposable ? given as AsyncDisposable | Disposable : undefined;
}
