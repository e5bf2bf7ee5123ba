import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { type Finding, findingToText, isFailure } from "../../../src/lab/findings/finding.ts";
import { checksToJunit } from "../../../src/lab/findings/junit.ts";

const finding: Finding = {
  id: "id_token.expired",
  title: "The ID token has expired",
  grade: "D",
  kind: "security",
  received: "https://app.example/",
  expected: "an error",
  gain: "A stolen ID token signs its user in.",
  sender: "It takes a stolen token.",
  fix: "Compare exp with the clock.",
  see: "RFC 7519, section 4.1.4",
  why: "The current date/time MUST be before the expiration date/time.",
  where: { client: "web", tenant: "acme", request: "POST /oauth2/token", exchanges: [3, 5] },
};

describe("A finding", () => {
  it("is a line of text for each of its parts, and quotes URLs", () => {
    assertEquals(findingToText(finding).split("\n  "), [
      "D id_token.expired (client web at tenant acme): The ID token has expired",
      "At POST /oauth2/token, requests 3, 5. Received: 'https://app.example/'. Expected: an error.",
      "A stolen ID token signs its user in. It takes a stolen token.",
      "Compare exp with the clock.",
      'Why: RFC 7519, section 4.1.4: "The current date/time MUST be before the expiration ' +
      'date/time."',
    ]);
  });

  it("has its flow in place of requests, and no line for what it lacks", () => {
    const { id, title, kind } = finding;
    const text = findingToText({ id, title, kind, where: { flow: "flow-1" } });
    assertEquals(text, "note id_token.expired: The ID token has expired\n  At flow-1.");
  });

  it("fails its check in JUnit XML, unless the caller lets it pass", () => {
    const checks = [{ ...finding, findings: [finding] }, { id: "a", title: "b", skipped: "no" }];
    const failed = checksToJunit([{ name: "all", checks }]);
    assertStringIncludes(failed, 'tests="2" failures="1" errors="0" skipped="1"');
    assertStringIncludes(failed, 'message="The ID token has expired. Received: &apos;https');
    const passed = checksToJunit([{ name: "all", checks }], () => false);
    assertStringIncludes(passed, 'failures="0"');
    assertStringIncludes(passed, "<system-out>D id_token.expired (client web at tenant acme): ");
  });

  it("of a drill says first that a C fails no build, and which one it would", () => {
    const { see: _s, why: _w, ...rest } = finding;
    const found: Finding = {
      ...rest,
      grade: "C",
      certification: "oidcc-client-test-invalid-iat",
      where: { application: "http://localhost:3000/" },
    };
    const [, first] = findingToText(found).split("\n  ");
    const sentence = "This build passes; with --fail-on C it fails.";
    assertEquals(first, `${sentence} A certification would not pass.`);
    const failing = findingToText(found, (each) => isFailure(each, { failOn: "C" }));
    assertEquals(failing.includes("This build"), false);
  });
});
