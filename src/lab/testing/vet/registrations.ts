/** The name of a function with which a test runner takes callbacks of a suite. */
export type RegistrationName =
  | "describe"
  | "suite"
  | "test"
  | "it"
  | "before"
  | "after"
  | "beforeAll"
  | "afterAll"
  | "beforeEach"
  | "afterEach";

/** What a function of a runner registers. */
export type RegistrationKind =
  | "group"
  | "test"
  | "hook around a group"
  | "hook before a test"
  | "hook after a test";

const kinds: Readonly<Record<RegistrationName, RegistrationKind>> = {
  describe: "group",
  suite: "group",
  test: "test",
  it: "test",
  before: "hook around a group",
  after: "hook around a group",
  beforeAll: "hook around a group",
  afterAll: "hook around a group",
  beforeEach: "hook before a test",
  afterEach: "hook after a test",
};

/** What a test runner exports, or as much of it as a suite uses. */
export type TestRunner = Partial<Readonly<Record<RegistrationName, SuiteFunction>>>;

/** A function that takes callbacks of a suite, or such a callback. */
// deno-lint-ignore no-explicit-any
export type SuiteFunction = (this: any, ...args: any[]) => unknown;

/** The names of all functions that register something. */
export const registrationNames: readonly RegistrationName[] = Object.keys(
  kinds,
) as RegistrationName[];

/** Returns what a function registers. */
export function kindOf(name: RegistrationName): RegistrationKind {
  return kinds[name];
}

/** Whether a function with this name registers something. */
export function isRegistration(name: PropertyKey): name is RegistrationName {
  return Object.hasOwn(kinds, name);
}
