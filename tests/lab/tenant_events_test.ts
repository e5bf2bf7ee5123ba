import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openLab } from "../../src/lab/open_lab.ts";
import type { LabEvent } from "../../src/lab/recording/lab_event.ts";
import { createLabLog } from "../../src/program/lab/lab_log.ts";
import { noColors } from "../../src/program/terminal/color.ts";
import type { ServerEvent } from "../../src/server/config/events.ts";
import { testClient } from "../support/test_client.ts";

const issuer = "http://localhost:9000";

type AnyEvent = (ServerEvent | LabEvent) & { tenant?: string | undefined };

/** Opens a lab whose listener is that of a program. */
function openObserved() {
  const events: AnyEvent[] = [];
  const listen = (event: AnyEvent) => void events.push(event);
  return { events, lab: openLab({ issuer, onEvent: listen, onLabEvent: listen }) };
}

/** Sends a request that the server of a lab refuses. */
async function refuse(lab: ReturnType<typeof openLab>) {
  await testClient({ client_id: "unknown" }).token(lab, {});
}

describe("The events of a tenant", () => {
  it("U5: are in the log of the program, with the name of the tenant", async () => {
    const { events, lab } = openObserved();
    await refuse(await lab.tenant({ id: "acme" }));
    const named = events.filter(({ tenant }) => tenant === "acme").map(({ type }) => type);
    assertEquals(named.includes("request.refused"), true);
    assertEquals(named.includes("exchange.recorded"), true);
    await refuse(lab);
    assertEquals(events.at(-1)?.tenant, undefined);
  });

  it("U5: go to the listeners of the tenant as well, without its name", async () => {
    const { events, lab } = openObserved();
    const own: AnyEvent[] = [];
    const listen = (event: AnyEvent) => void own.push(event);
    const tenant = await lab.tenant({ id: "acme", onEvent: listen, onLabEvent: listen });
    await refuse(tenant);
    assertEquals(own.length, events.length);
    assertEquals(own.filter((event) => "tenant" in event), []);
  });

  it("U5: lead to the page of the tenant, at a terminal", async () => {
    const { events, lab } = openObserved();
    await refuse(await lab.tenant({ id: "acme" }));
    const format = createLabLog({ colors: noColors, pagesUrl: () => issuer });
    const lines = events.map((event) => format(event, new Date(0))).join("\n");
    assertEquals(lines.includes("POST /t/acme/oauth2/token"), true, lines);
    assertEquals(lines.includes(`${issuer}/t/acme/lab/flows/request-1?exchange=1`), true, lines);
  });
});
