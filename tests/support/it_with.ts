import { it } from "node:test";

type Openers = Readonly<Record<string, () => unknown>>;

/** Adds a test that is given what was opened for it, and which is closed after the test. */
interface ItWith<Given> {
  (title: string, act: Act<Given>): void;
  (title: string, options: Options, act: Act<Given>): void;
}

interface Options {
  skip: string | false;
}

type Act<Given> = (given: Given) => unknown;

type ItWithEach<Own extends Openers> =
  & typeof it
  & { [Name in keyof Own]: ItWith<Awaited<ReturnType<Own[Name]>>> };

/**
 * Returns `it` with one more kind of test for each opener: after
 * `const it = itWith({ inLab: () => hallpass() })`, each `it.inLab("mints", async (lab) => …)` has
 * a lab of its own.
 */
export function itWith<Own extends Openers>(openers: Own): ItWithEach<Own> {
  const kinds = Object.entries(openers).map(([name, open]) => {
    const itGiven: ItWith<unknown> = (
      title: string,
      first: Options | Act<unknown>,
      second?: Act<unknown>,
    ) => {
      const [options, act] = typeof first === "function"
        ? [{ skip: false as const }, first]
        : [first, second];
      it(title, options, async () => {
        const given = await open();
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
