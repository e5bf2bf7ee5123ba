import bun from "../../../../static/first_tests/bun.txt" with { type: "text" };
import deno from "../../../../static/first_tests/deno.txt" with { type: "text" };
import go from "../../../../static/first_tests/go.txt" with { type: "text" };
import jest from "../../../../static/first_tests/jest.txt" with { type: "text" };
import maven from "../../../../static/first_tests/maven.txt" with { type: "text" };
import mocha from "../../../../static/first_tests/mocha.txt" with { type: "text" };
import node from "../../../../static/first_tests/node.txt" with { type: "text" };
import playwright from "../../../../static/first_tests/playwright.txt" with { type: "text" };
import pytest from "../../../../static/first_tests/pytest.txt" with { type: "text" };
import runners from "../../../../static/first_tests/runners.json" with { type: "json" };
import vitest from "../../../../static/first_tests/vitest.txt" with { type: "text" };

/** How a project with one test runner begins. */
export interface Starter {
  runner: string;
  /** The file at the top of the project that shows it, and what that has. */
  manifest: string;
  shownBy: string;
  /** The path of the first test, and its text, with placeholders. */
  path: string;
  text: string;
  /** The command that runs it. */
  run: string;
  /** The script of a package.json that runs all tests. */
  script?: string;
  /** Whether the test opens its lab itself, with the package; otherwise `hallpass exec` does. */
  usesPackage: boolean;
}

const texts: Readonly<Record<string, string>> = {
  bun,
  deno,
  go,
  jest,
  maven,
  mocha,
  node,
  playwright,
  pytest,
  vitest,
};

/** The runners. A project with several begins with its browser tests. */
export const starters: readonly Starter[] = runners.map(({ test, ...runner }) => ({
  ...runner,
  text: texts[test] ?? "",
}));
