import { it } from "node:test";

/** What is opened for each test of a kind, or when its tests are skipped, or both. */
type Kind = (() => unknown) | Options & { open?(): unknown };

type Kinds = Readonly<Record<string, Kind>>;

/** Adds a test that is given what was opened for it, and which is closed after the test. */
interface ItWith<Given> {
  (title: string, act: Act<Given>): void;
  (title: string, options: Options, act: Act<Given>): void;
}

interface Options {
  skip: string | false;
}

type Act<Given> = (given: Given) => unknown;

type Opened<Own extends Kind> = Own extends () => infer Given ? Awaited<Given>
  : Own extends { open(): infer Given } ? Awaited<Given>
  : unknown;

type ItWithEach<Own extends Kinds> = typeof it & { [Name in keyof Own]: ItWith<Opened<Own[Name]>> };

/**
 * Returns `it` with kinds of tests: after
 * `const it = itWith({ inLab: () => hallpass(), withFaults: needs("faults") })`, each
 * `it.inLab("mints", async (lab) => …)` has a lab of its own, and each `it.withFaults(…)` is
 * skipped without that feature.
 */
export function itWith<const Own extends Kinds>(own: Own): ItWithEach<Own> {
  const kinds = Object.entries<Kind>(own).map(([name, kind]) => {
    const { skip, open } = typeof kind === "function" ? { skip: false as const, open: kind } : kind;
    const itGiven: ItWith<unknown> = (
      title: string,
      first: Options | Act<unknown>,
      second?: Act<unknown>,
    ) => {
      const [options, act] = typeof first === "function" ? [{ skip }, first] : [first, second];
      it(title, options, async () => {
        const given = await open?.();
        await using _ = disposableOf(given);
        await act?.(given);
      });
    };
    return [name, itGiven];
  });
  const plain: typeof it = it.bind(undefined);
  return Object.assign(plain, Object.fromEntries(kinds));
}

function disposableOf(given: unknown): AsyncDisposable | Disposable | undefined {
  const isDisposable = given instanceof Object &&
    (Symbol.asyncDispose in given || Symbol.dispose in given);
  return isDisposable ? given as AsyncDisposable | Disposable : undefined;
}
