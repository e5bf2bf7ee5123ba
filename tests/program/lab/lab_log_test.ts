import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { RecordedExchange } from "../../../src/lab/recording/lab_event.ts";
import { createLabLog } from "../../../src/program/lab/lab_log.ts";
import { colorsFor, noColors, terminalColors } from "../../../src/program/terminal/color.ts";

const at = new Date("2026-11-20T14:03:22Z");
const pagesUrl = () => "http://localhost:9000";
const redeemed: RecordedExchange = {
  exchange: 7,
  flow: "flow-1",
  method: "POST",
  path: "/oauth2/token",
  client: "demo-spa",
  status: 200,
};
const refused: RecordedExchange = {
  ...redeemed,
  status: 400,
  error: "invalid_grant",
  refusal: {
    error: "invalid_grant",
    rule: "verifier.matches",
    description: "The code_verifier does not match the code_challenge.",
    received: "def",
    expected: "abc",
    fix: "Send the code_verifier of this flow.",
  },
};

describe("The log of a lab at a terminal", () => {
  const format = createLabLog({ colors: noColors, pagesUrl });
  const show = (exchange: RecordedExchange) =>
    format({ type: "exchange.recorded", ...exchange }, at)?.split("\n");

  it("has one aligned line per exchange, with its flow", () => {
    assertEquals(show(redeemed), [
      "14:03:22  POST /oauth2/token                  demo-spa        200                         flow-1",
    ]);
  });

  it("E2: shows below a refusal what came, what was expected, the fix and the rule, and leads to this request", () => {
    assertEquals(show(refused), [
      "14:03:22  POST /oauth2/token                  demo-spa        400 invalid_grant           flow-1",
      "          The code_verifier does not match the code_challenge. Received: def. Expected: abc.",
      "          Send the code_verifier of this flow. Rule: verifier.matches.",
      "          http://localhost:9000/lab/flows/request-7?exchange=7",
    ]);
  });

  it("marks an error that a redirect brings to the client as a failure", () => {
    const denied = { ...redeemed, status: 303, error: "access_denied" };
    assertEquals(show(denied)?.length, 2);
  });

  it("shortens and escapes what came from outside", () => {
    const [line] = show({ ...redeemed, client: "\x1b[31m" + "x".repeat(40) }) ?? [];
    assertEquals(line?.includes("\x1b"), false);
    assertEquals(line?.includes("\\u001b[31mxxx…"), true);
  });

  it("leaves out what the exchanges show already", () => {
    assertEquals(format({ type: "key.made", kid: "k", alg: "RS256" }, at), undefined);
    assertEquals(format({ type: "token.revoked", client: "a", kind: "access" }, at), undefined);
  });

  it("keeps what happens beside the requests", () => {
    const line = format({ type: "clock.moved", now: "2027-01-01T00:00:00.000Z", frozen: true }, at);
    assertEquals(line?.includes("clock.moved"), true);
  });

  it("is green for what worked and red for what did not", () => {
    const colored = createLabLog({ colors: terminalColors, pagesUrl });
    const text = (exchange: RecordedExchange) =>
      colored({ type: "exchange.recorded", ...exchange }, at) ?? "";
    assertEquals(text(redeemed).includes("\x1b[32m200 "), true);
    assertEquals(text(refused).includes("\x1b[31m400 invalid_grant"), true);
  });
});

describe("Colors of the terminal", () => {
  const cases: Array<[environment: Record<string, string>, isTerminal: boolean, on: boolean]> = [
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
  ];
  for (const [environment, isTerminal, on] of cases) {
    it(`are ${on ? "on" : "off"} with ${JSON.stringify(environment)}, terminal ${isTerminal}`, () => {
      assertEquals(colorsFor(environment, isTerminal) === terminalColors, on);
    });
  }
});
