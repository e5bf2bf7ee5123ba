import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { datedChangelog, releaseHeading } from "../scripts/release/release_notes.ts";
import { missingFor, type Situation } from "../scripts/release/requirements.ts";

const repository = "https://github.com/example/hallpass";
const digest = `@sha256:${"0".repeat(64)}`;

/** A version that the workflow can release. */
const ready: Situation = {
  version: "0.2.0",
  published: "0.2.0",
  repository,
  changelog: "# Changelog\n\n## 0.2.0 - 2027-01-01\n\n- New.\n",
  changed: [],
  tags: ["v0.2.0"],
  npm: { repository: `git+${repository}.git`, versions: ["0.1.0"] },
  environment: {
    GITHUB_ACTIONS: "true",
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_REPOSITORY: "Example/hallpass",
    BUILD_IMAGE: `node:24-slim${digest}`,
    BASE_IMAGE: `debian:bookworm-slim${digest}`,
  },
};
const { environment } = ready;

const missing: Array<[what: string, change: Partial<Situation>, mend: RegExp]> = [
  ["a file is not committed", { changed: ["a.ts"] }, /^a clean tree: Commit a\.ts, or undo/],
  [
    "deno.json names no repository",
    { repository: undefined, environment: {} },
    /^the repository: Write "repository": "https:\/\/github\.com\/OWNER\/hallpass" into deno\.json/,
  ],
  [
    "the workflow runs in another repository",
    { environment: { ...environment, GITHUB_REPOSITORY: "fork/hallpass" } },
    /^the workflow's repository: .* must be https:\/\/github\.com\/fork\/hallpass\./,
  ],
  [
    "the changelog is about another version",
    { changelog: "## 0.1.0 - 2026-12-01\n" },
    /Begin .*0\.2\.0/,
  ],
  [
    "the changelog has no date",
    { changelog: "## 0.2.0 - unreleased\n" },
    /Run: .*--prepare 0\.2\.0/,
  ],
  ["documents install another version", { published: "0.1.0" }, /Run: .*--prepare 0\.2\.0/],
  ["no tag names it", { tags: ["v0.1.0"] }, /Run: .*--prepare 0\.2\.0/],
  [
    "the name on npm is taken",
    { npm: { repository: "git+https://github.com/other/hall.git", versions: [] } },
    /^the name on npm: The name hallpass belongs to .*other\/hall/,
  ],
  ["npm does not respond", { npm: "unreachable" }, /^the name on npm: .*try again/],
  [
    "npm has the version",
    { npm: { repository, versions: ["0.2.0"] } },
    /^a new version: npm has 0\.2\.0, and never takes a version twice/,
  ],
  ["npm has no package, and the workflow no token", { npm: undefined }, /add it as NPM_TOKEN/],
  [
    "an image is named by a tag",
    { environment: { ...environment, BASE_IMAGE: "debian:bookworm-slim" } },
    /^BASE_IMAGE by digest: .*debian:bookworm-slim@sha256:DIGEST/,
  ],
];

describe("A release", () => {
  it("lacks nothing if it was prepared, and its workflow has what it needs", () => {
    assertEquals(missingFor(ready), []);
    const first = { ...environment, HAS_NPM_TOKEN: "true" };
    assertEquals(missingFor({ ...ready, npm: undefined, environment: first }), []);
  });

  for (const [what, change, mend] of missing) {
    it(`is refused with the sentence that mends it: ${what}`, () => {
      const [only = "", ...others] = missingFor({ ...ready, ...change });
      assertMatch(only, mend);
      assertEquals(others, []);
    });
  }

  it("asks a person's machine for nothing that only the workflow has", () => {
    assertEquals(missingFor({ ...ready, npm: undefined, environment: {} }), []);
  });

  it("gets the day of its preparation, and no other entry does", () => {
    const changelog = "# Changelog\n\n## 0.2.0 - unreleased\n\n- New.\n\n## 0.1.0 - 2026-12-01\n";
    const day = new Date("2027-01-01T23:00:00Z");
    const dated = datedChangelog(changelog, "0.2.0", day);
    assertEquals(releaseHeading(dated), { version: "0.2.0", date: "2027-01-01" });
    assertEquals(dated.replace("2027-01-01", "unreleased"), changelog);
    assertEquals(datedChangelog(changelog, "0.3.0", day), changelog);
  });
});
