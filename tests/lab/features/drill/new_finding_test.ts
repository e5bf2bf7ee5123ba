import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { toCheck } from "../../../../src/lab/features/verdicts/drill_check.ts";
import { findingToText, isFailure, isNew } from "../../../../src/lab/findings/finding.ts";
import { version } from "../../../../src/runtime/version.ts";

const check = {
  id: "x",
  title: "An expired token must be refused",
  rule: "must",
  takes: "nothing",
  gain: "Anyone enters.",
  fix: "",
  see: "RFC 9068, section 4",
  why: "",
  binds: "api",
} as const;

function findingOf(since?: string) {
  const { findings: [finding] = [] } = toCheck({ ...check, since }, {
    wrong: [{ received: "status 200" }],
  }, {});
  return finding!;
}

describe("A finding that a version is the first to look for", () => {
  it("is new in each patch of its minor version", () => {
    const versions = ["0.2.0", "0.2.7", "0.3.0", "1.2.0"];
    assertEquals(versions.map((each) => isNew({ since: "0.2.0" }, each)), [
      true,
      true,
      false,
      false,
    ]);
    assertEquals(isNew({}, "0.2.0"), false);
  });

  it("fails no build, and says so", () => {
    assertEquals([undefined, "0.0.1", version].map((since) => isFailure(findingOf(since))), [
      true,
      true,
      false,
    ]);
    const text = findingToText(findingOf(version));
    assertEquals(text.includes(`New in ${version}: it fails no build`), true);
    assertEquals(findingToText(findingOf()).includes("New in"), false);
  });
});
