/**
 * The assertions in use here. The npm package that contains them, a copy of Deno's standard library
 * by a third party, has no types. Its entry in deno.json decides where `@std/assert` comes from.
 */
declare module "@std/assert" {
  export function assert(condition: unknown, message?: string): asserts condition;
  export function assertEquals<T>(actual: T, expected: T, message?: string): void;
  // For an object whose type has more members than the test's one object.
  export function assertEquals<T extends object>(
    actual: T,
    expected: Partial<T>,
    message?: string,
  ): void;
  export function assertNotEquals<T>(actual: T, expected: T, message?: string): void;
  export function assertMatch(actual: string, expected: RegExp, message?: string): void;
  export function assertNotMatch(actual: string, expected: RegExp, message?: string): void;
  export function assertStringIncludes(actual: string, expected: string, message?: string): void;
  export function assertExists<T>(actual: T, message?: string): asserts actual is NonNullable<T>;
  export function assertThrows(
    act: () => unknown,
    kind?: new (...args: never[]) => Error,
    messageIncludes?: string,
  ): Error;
  export function assertRejects(
    act: () => PromiseLike<unknown>,
    kind?: new (...args: never[]) => Error,
    messageIncludes?: string,
  ): Promise<Error>;
}
