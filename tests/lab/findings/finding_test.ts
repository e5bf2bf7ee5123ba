import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { type Finding, findingToText } from "../../../src/lab/findings/finding.ts";
import { checksToJunit } from "../../../src/lab/findings/junit.ts";

const finding: Finding = {
  id: "id_token.expired",
  title: "The ID token has expired",
  level: "violation",
  received: "https://app.example/",
  expected: "an error",
  gain: "A stolen ID token signs its user in.",
  kind: "rule",
  fix: "Compare exp with the clock.",
  see: "RFC 7519, section 4.1.4",
  why: "The current date/time MUST be before the expiration date/time.",
  where: { client: "web", tenant: "acme", request: "POST /oauth2/token", exchanges: [3, 5] },
};

describe("A finding", () => {
  it("is a line of text for each of its parts, and quotes URLs", () => {
    assertEquals(findingToText(finding).split("\n  "), [
      "rule id_token.expired (client web at tenant acme): The ID token has expired",
      "At POST /oauth2/token, requests 3, 5. Received: 'https://app.example/'. Expected: an error.",
      "A stolen ID token signs its user in.",
      "Compare exp with the clock.",
      'Why: RFC 7519, section 4.1.4: "The current date/time MUST be before the expiration ' +
      'date/time."',
    ]);
  });

  it("has its flow in place of requests, and no line for what it lacks", () => {
    const { id, title, level } = finding;
    const text = findingToText({ id, title, level, where: { flow: "flow-1" } });
    assertEquals(text, "violation id_token.expired: The ID token has expired\n  At flow-1.");
  });

  it("fails its check in JUnit XML, unless the caller lets it pass", () => {
    const checks = [{ ...finding, findings: [finding] }, { id: "a", title: "b", skipped: "no" }];
    const failed = checksToJunit([{ name: "all", checks }]);
    assertStringIncludes(failed, 'tests="2" failures="1" errors="0" skipped="1"');
    assertStringIncludes(failed, 'message="The ID token has expired. Received: &apos;https');
    const passed = checksToJunit([{ name: "all", checks }], () => false);
    assertStringIncludes(passed, 'failures="0"');
    assertStringIncludes(passed, "<system-out>rule id_token.expired (client web at tenant acme): ");
  });
});
