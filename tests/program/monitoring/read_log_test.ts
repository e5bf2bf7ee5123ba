import { assertEquals, assertStringIncludes } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createEventFormat, type LogForm } from "../../../src/program/monitoring/log.ts";
import { formatRefusal, readEvent } from "../../../src/program/monitoring/read_log.ts";
import type { EventRequest, ServerEvent } from "../../../src/server/config/events.ts";
import { runCommandLine } from "../../support/command_line.ts";
import { inFolder } from "../../support/folder.ts";
import { present } from "../../support/present.ts";

const request: EventRequest = {
  id: "00f067aa0ba902b7",
  trace: { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", flags: 0 },
  client: "wiki",
  clientKind: "stored",
  startedAt: 0,
  duration: 1,
  rules: [],
};
const refused: ServerEvent = {
  type: "request.refused",
  method: "GET",
  path: "/oauth2/authorize",
  status: 400,
  error: "invalid_request",
  rule: "redirect_uri.registered",
  description: 'A "quoted" text, with a=b and \\ in it.',
  received: "https://wiki.example/other",
  expected: "https://wiki.example/cb",
  remedy: { setting: "redirectUris", value: "https://wiki.example/other" },
};

function lineOf(form: LogForm, event: ServerEvent = refused): string {
  return present(createEventFormat(form, "debug")(event, new Date(0), request));
}

describe("A refusal in a log", () => {
  for (const form of ["text", "json"] as const) {
    it(`is read from its line as ${form}`, () => {
      const { time, client, rule, description, received, fix } = present(
        readEvent(lineOf(form), "request.refused"),
      );
      assertEquals({ time, client, rule, description, received, fix }, {
        time: "1970-01-01T00:00:00.000Z",
        client: "wiki",
        rule: "redirect_uri.registered",
        description: 'A "quoted" text, with a=b and \\ in it.',
        received: "https://wiki.example/other",
        fix: "Enter the expected one in the application. Only if the other is right: " +
          "hallpass client set wiki --add redirect-uri=https://wiki.example/other",
      });
    });

    it(`is no other line as ${form}, even one that names it`, () => {
      const event: ServerEvent = {
        ...refused,
        type: "request.handled",
        unknownPath: "/request.refused",
      };
      assertEquals(readEvent(lineOf(form, event), "request.refused"), undefined);
    });
  }

  it("is asked for with a log, where a name is the id of a request", async () => {
    const alone = await runCommandLine(["explain", request.id]);
    assertEquals(alone.code, 2);
    assertStringIncludes(
      alone.output,
      "is the id of a request. To explain it, add --log-file FILE",
    );
    await inFolder(async (folder) => {
      const file = join(folder, "hallpass.log");
      await writeFile(file, lineOf("text"));
      const other = await runCommandLine(["explain", "0".repeat(16), "--log-file", file]);
      assertEquals(other.code, 2);
      assertStringIncludes(other.output, `no refusal of the request ${"0".repeat(16)}`);
    });
  });

  it("is shown without what moves the cursor of a terminal", () => {
    const shown = formatRefusal({ time: "now", rule: "a.b", received: "\u001b[31mred" });
    assertStringIncludes(shown, "Received    \\u001b[31mred");
  });

  it("is explained by its rule or by its request", async () => {
    await inFolder(async (folder) => {
      const file = join(folder, "hallpass.log");
      await writeFile(file, [lineOf("text"), lineOf("json"), "other"].join("\n"));
      for (const name of ["redirect_uri.registered", request.id]) {
        const { code, output } = await runCommandLine(["explain", name, "--log-file", file]);
        assertEquals([code, output.split("To fix it   Enter the expected one").length], [0, 3]);
        assertStringIncludes(output, "redirect_uri.registered: The redirect_uri must be identical");
      }
      const { output } = await runCommandLine([
        "explain",
        request.id,
        "--log-file",
        file,
        "--json",
      ]);
      assertEquals(JSON.parse(output).refusals.length, 2);
    });
  });
});
