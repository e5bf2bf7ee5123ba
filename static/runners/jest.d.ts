import type { HallpassOptions, LabOfTest } from "./fixtures.js";

export { expect } from "@jest/globals";

/** Defines a test that gets a lab, as Jest's own `test` defines one. */
export type DefineTest = (
  title: string,
  test: (context: { lab: LabOfTest }) => unknown,
  timeout?: number,
) => void;

/** Jest's `test` with a lab: it fails a test if the application broke a rule. */
export interface TestWithLab extends DefineTest {
  only: DefineTest;
  skip: DefineTest;
  failing: DefineTest;
  todo: (title: string) => void;
}

/** Jest's `test` with a lab. */
export declare const test: TestWithLab;
/** The same as `test`. */
export declare const it: TestWithLab;
/** Returns a `test` whose labs have these options. */
export declare function testWith(options: HallpassOptions): TestWithLab;
