import bun from "../../../../static/first_tests/bun.txt" with { type: "text" };
import deno from "../../../../static/first_tests/deno.txt" with { type: "text" };
import denoExec from "../../../../static/first_tests/deno_exec.txt" with { type: "text" };
import dotnet from "../../../../static/first_tests/dotnet.txt" with { type: "text" };
import go from "../../../../static/first_tests/go.txt" with { type: "text" };
import jest from "../../../../static/first_tests/jest.txt" with { type: "text" };
import maven from "../../../../static/first_tests/maven.txt" with { type: "text" };
import minitest from "../../../../static/first_tests/minitest.txt" with { type: "text" };
import mocha from "../../../../static/first_tests/mocha.txt" with { type: "text" };
import node from "../../../../static/first_tests/node.txt" with { type: "text" };
import php from "../../../../static/first_tests/php.txt" with { type: "text" };
import phpunit from "../../../../static/first_tests/phpunit.txt" with { type: "text" };
import playwright from "../../../../static/first_tests/playwright.txt" with { type: "text" };
import pytest from "../../../../static/first_tests/pytest.txt" with { type: "text" };
import rspec from "../../../../static/first_tests/rspec.txt" with { type: "text" };
import runners from "../../../../static/first_tests/runners.json" with { type: "json" };
import rust from "../../../../static/first_tests/rust.txt" with { type: "text" };
import vitest from "../../../../static/first_tests/vitest.txt" with { type: "text" };
import { publishedVersion } from "../../terminal/installation.ts";

/** How a project with one test runner begins. */
export interface Starter {
  runner: string;
  /** The file at the top of the project that shows it (`*.csproj` is any), and what that has. */
  manifest: string;
  shownBy: string;
  /** The path of the first test, and its text, with placeholders. */
  path: string;
  text: string;
  run: string;
  /** What installs the program that runs it, where that is one of the project. */
  install?: string;
  /** What the manifest must bring for the test, in a sentence. */
  needs?: string;
  /** The script of a package.json that runs all tests. */
  script?: string;
  /** Whether the test opens its lab itself, with the package; otherwise `hallpass exec` does. */
  usesPackage: boolean;
}

const texts: Readonly<Record<string, string>> = {
  bun,
  deno,
  denoExec,
  dotnet,
  go,
  jest,
  maven,
  minitest,
  mocha,
  node,
  php,
  phpunit,
  playwright,
  pytest,
  rspec,
  rust,
  vitest,
};

/** Before the first release, no registry has what a test for Deno imports. */
const isPublished = publishedVersion !== "";

/** The runners. A project with several begins with its browser tests. */
export const starters: readonly Starter[] = runners.flatMap(({ manifests, test, ...runner }) =>
  manifests.map((manifest) => ({
    ...runner,
    manifest,
    text: texts[test] ?? "",
    ...runner.runner === "Deno" && !isPublished && { text: denoExec, usesPackage: false },
  }))
);
