import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { levelOf, type LogLevel } from "../../../src/program/monitoring/event_level.ts";
import { createEventFormat, formatDropped } from "../../../src/program/monitoring/log.ts";
import type { EventRequest, ServerEvent } from "../../../src/server/config/events.ts";

const at = new Date("2026-11-20T14:03:22Z");
const request: EventRequest = {
  id: "00f067aa0ba902b7",
  trace: { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", flags: 0 },
  address: "198.51.100.7",
  client: "web",
  grantType: "client_credentials",
  startedAt: at.getTime(),
  duration: 3.14159,
  rules: [],
};
const handled: ServerEvent = {
  type: "request.handled",
  method: "POST",
  path: "/oauth2/token",
  status: 200,
};
const refused: ServerEvent = {
  type: "request.refused",
  method: "POST",
  path: "/oauth2/token",
  status: 400,
  error: "invalid_grant",
  description: "The code is unknown.",
};

describe("A line of the log as text", () => {
  const format = createEventFormat("text", "info");

  it("has the time, the level, the event, its facts and its request", () => {
    assertEquals(
      format(handled, at, request),
      "2026-11-20T14:03:22.000Z info  request.handled        client=web " +
        "grantType=client_credentials request=00f067aa0ba902b7 address=198.51.100.7 " +
        "duration=3.1 method=POST path=/oauth2/token status=200",
    );
  });

  it("has the trace if that began elsewhere", () => {
    const trace = { ...request.trace, parentId: "b7ad6b7169203331" };
    const line = format(handled, at, { ...request, trace });
    assert(line?.includes("trace=4bf92f3577b34da6a3ce929d0e0e4736 "), line);
  });

  it("has the facts of a refusal after those of the exchange, with the error that a fault sent", () => {
    const { method, path, error, description } = refused;
    const refusal = { error, description, fix: "Send it once." };
    const response = { status: 503, error: "server_error" };
    assertEquals(
      format({ type: "exchange.recorded", exchange: 7, method, path, ...response, refusal }, at),
      "2026-11-20T14:03:22.000Z info  exchange.recorded      exchange=7 method=POST " +
        "path=/oauth2/token status=503 error=server_error " +
        'description="The code is unknown." fix="Send it once."',
    );
  });

  it("has no facts of a request if there was none", () => {
    assertEquals(
      format({ type: "rows.swept", rows: 3 }, at),
      "2026-11-20T14:03:22.000Z info  rows.swept             rows=3",
    );
  });

  it("quotes and escapes what came from outside", () => {
    const line = format({ ...handled, unknownPath: "/a b\x1b[31m\n" }, at);
    assert(line?.endsWith('unknownPath="/a b\\u001b[31m\\n"'), line);
  });
});

describe("A line of the log as JSON", () => {
  const format = createEventFormat("json", "info");

  it("is an object with the same members, and the trace", () => {
    assertEquals(JSON.parse(format(handled, at, request) ?? ""), {
      time: "2026-11-20T14:03:22.000Z",
      level: "info",
      event: "request.handled",
      client: "web",
      grantType: "client_credentials",
      request: "00f067aa0ba902b7",
      address: "198.51.100.7",
      duration: 3.1,
      trace: "4bf92f3577b34da6a3ce929d0e0e4736",
      method: "POST",
      path: "/oauth2/token",
      status: 200,
    });
  });

  it("contains the stack of an error", () => {
    const cause = new Error("The disk is full.\u2028");
    const line = format({ type: "work.failed", what: "sweep", cause }, at) ?? "";
    assert(JSON.parse(line).cause.includes("The disk is full.\u2028"), line);
    assert(!/[^\x20-\x7e]/.test(line), line);
  });

  it("shortens texts", () => {
    const line = format({ ...refused, received: "x".repeat(1000) }, at) ?? "";
    assertEquals(JSON.parse(line).received.length, 300);
  });

  it("reports lines that were dropped", () => {
    assertEquals(JSON.parse(formatDropped("json", 7, at)), {
      time: "2026-11-20T14:03:22.000Z",
      level: "warn",
      event: "log.dropped",
      lines: 7,
    });
  });
});

describe("The level of an event", () => {
  const cases: Array<[what: string, event: ServerEvent, level: LogLevel]> = [
    ["a request", handled, "info"],
    ["a probe", { ...handled, path: "/base/health" }, "debug"],
    ["a file", { ...handled, path: "/static/:file" }, "debug"],
    ["a token", { type: "token.issued", client: "web", grantType: "x", scope: [] }, "info"],
    ["work that was done", { type: "work.finished", what: "keys" }, "debug"],
    ["a wrong password", { type: "sign_in.failed" }, "warn"],
    ["a wrong secret", { type: "client.refused", client: "web", reason: "x" }, "warn"],
    ["a refusal", refused, "warn"],
    ...[429, 503].map((status): (typeof cases)[number] => [
      `Y10: a limit, with the status ${status}`,
      { ...refused, error: "temporarily_unavailable", status, rule: "limit.sign_ins" },
      "warn",
    ]),
    ["a device that polls", { ...refused, error: "authorization_pending" }, "info"],
    ["a path of a scanner", { ...refused, error: "not_found", status: 404 }, "info"],
    [
      "a refusal because of the server",
      { ...refused, error: "temporarily_unavailable", status: 503 },
      "error",
    ],
    ["a failure", { type: "server.failed", method: "", path: "", cause: "" }, "error"],
  ];
  for (const [what, event, level] of cases) {
    it(`is ${level} for ${what}`, () => assertEquals(levelOf(event), level));
  }

  const shown: Array<[from: LogLevel, levels: LogLevel[]]> = [
    ["debug", ["debug", "info", "warn", "error"]],
    ["info", ["info", "warn", "error"]],
    ["warn", ["warn", "error"]],
    ["error", ["error"]],
  ];
  for (const [from, levels] of shown) {
    it(`decides what a log from ${from} on shows`, () => {
      const format = createEventFormat("text", from);
      const logged = cases.filter(([, event]) => format(event, at) !== undefined);
      assertEquals([...new Set(logged.map(([, , level]) => level))].sort(), [...levels].sort());
    });
  }

  it("does not matter if the log is off", () => {
    assertEquals(createEventFormat("off", "debug")(handled, at, request), undefined);
  });
});
