import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  matchesWhole,
  patternProblem,
} from "../../../src/lab/compat/mock_oauth2_server/match_pattern.ts";

const alike = "repeats alternatives that may begin alike";
const twice = "has a repetition within a repetition";

describe("An expression that values of clients are compared with", () => {
  const refused: Array<[pattern: string, problem: string]> = [
    ["(a+)+", twice],
    ["((?:a*)b)*", twice],
    ["(a{1,9}){2,}", twice],
    ["(a|a)+", alike],
    ["(?:a|ab|b)*", alike],
    ["(a|a){30}", alike],
    ["(\\w|a)+", alike],
    ["([ab]|a)*", alike],
    ["(.|a){2,}", alike],
    ["(a?|b)+", alike],
    ["(|a)+", alike],
    ["((a|a)b)+", alike],
    ["(?<name>x|y)+", alike],
  ];
  for (const [pattern, problem] of refused) {
    it(`is refused: ${pattern}`, () => {
      const actual = patternProblem(pattern);
      assert(actual?.startsWith(problem), String(actual));
    });
  }

  const taken: Array<[pattern: string, value: string]> = [
    ["client-(one|once)", "client-once"],
    ["(?:foo|bar)+", "foobarfoo"],
    ["(a\\|a)+", "a|aa|a"],
    ["[(|)]+", "(|)"],
    ["(\\d{1,3}\\.){3}\\d{1,3}", "127.0.0.1"],
    ["a|a", "a"],
    [".*@a\\.test", "eve@a.test"],
  ];
  for (const [pattern, value] of taken) {
    it(`is taken, and matches: ${pattern}`, () => {
      assertEquals([patternProblem(pattern), matchesWhole(pattern, value)], [undefined, true]);
    });
  }
});
