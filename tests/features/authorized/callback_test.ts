import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { readCallback } from "../../../src/server/features/authorized/callback.ts";
import { parseParameters } from "../../../src/server/protocol/form_parameters.ts";
import { applyRule } from "../../../src/server/protocol/rule.ts";

function outcome(query: string): string {
  const callback = readCallback(parseParameters(applyRule, query));
  return callback.hasError
    ? `${callback.error}: ${callback.errorDescription ?? ""}`
    : `code ${callback.code}`;
}

describe("readCallback (OAuth 2.1, section 4.1.2)", () => {
  const cases: Record<string, string> = {
    "code=a&state=s&iss=i&unknown=1": "code a",
    "error=access_denied&error_description=No": "access_denied: No",
    "error=access_denied": "access_denied: ",
    "": "invalid_request: The response contains neither a code nor an error.",
    "code=": "invalid_request: The response contains neither a code nor an error.",
    "code=a&error=b": "invalid_request: The response contains both a code and an error.",
    "code=a&code=b": "invalid_request: The parameter 'code' was sent more than once.",
    "error=a&error=b": "invalid_request: The parameter 'error' was sent more than once.",
    "code=a&state=1&state=2": "invalid_request: The parameter 'state' was sent more than once.",
  };
  for (const [query, expected] of Object.entries(cases)) {
    it(`reads '${query}'`, () => {
      assertEquals(outcome(query), expected);
    });
  }
});
