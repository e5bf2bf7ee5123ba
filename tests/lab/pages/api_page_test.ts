import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import { bodySchema, loadLabSchemas } from "../../../src/lab/control/lab_schemas.ts";
import { exampleInput } from "../../../src/lab/control/operation_input.ts";
import type { OperationDescription } from "../../../src/lab/core/operation.ts";
import type { Lab } from "../../../src/lab/lab.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { titleOf } from "../../../src/lab/pages/operations/operation_result.tsx";
import { operations } from "../../../src/lab/routes/operation_table.ts";
import { textOf } from "../../support/browser.ts";
import { openTab } from "../../support/lab_tab.ts";
import { authorizationUrl } from "../../support/login.ts";
import { unprepared } from "../../support/operation_rows.ts";
import { hasFeature, needs } from "../../support/where_feature.ts";

const issuer = "http://localhost:9000";

/** Prepares what the examples name: a recorded request, a fault, a document and so on. */
async function openPrepared(operation: OperationDescription): Promise<Lab> {
  const lab = openLab({ issuer });
  await lab.fetch(new Request(`${issuer}/oauth2/authorize?client_id=demo-spa`));
  if (hasFeature("faults")) lab.fault("token.slow");
  if (hasFeature("snapshots")) await lab.snapshot();
  if (hasFeature("documents")) lab.clientDocument({});
  if (operation.path === "/tenants/:id") await lab.tenant({ id: "acme" });
  if (operation.path === "/sign-out") {
    await lab.browser("hers").authorize(authorizationUrl(lab), { user: "alice" });
  }
  return lab;
}

describe("The page of the lab's interface over HTTP", () => {
  it("belongs to Setup, as the pages of its operations do", async () => {
    await using lab = openLab({ issuer });
    const tab = await openTab(lab);
    for (const path of ["/lab/api", "/lab/call/clock", "/lab/rules"]) {
      assertMatch(await tab.html(path), /<a href="\/lab\/setup" aria-current="page">/, path);
    }
  });

  for (const operation of operations) {
    const { method, path } = operation;
    if (unprepared.includes(`${method} ${path}`)) continue;

    const requirement = path === "/sign-out" ? needs("logout") : {};
    it(`has a command for ${method} ${path} that works`, requirement, async () => {
      await using lab = await openPrepared(operation);
      const { segment, body } = exampleInput(lab, operation);
      const response = await lab.fetch(
        new Request(`${issuer}/lab${path.replace(/:\w+/, segment)}`, {
          method,
          ...operation.body && { body: JSON.stringify(body) },
          headers: { "Content-Type": "application/json" },
        }),
      );
      assertEquals(response.status, 200, path === "/events" ? "" : await response.clone().text());
      await response.body?.cancel();
    });

    it(`has a body for ${method} ${path}, if it needs one`, async () => {
      const schemas = await loadLabSchemas();
      const { required = [] } = operation.body ? bodySchema(schemas, operation.body) : {};
      await using lab = openLab({ issuer });
      const { body } = exampleInput(lab, operation);
      for (const name of required) assert(name in body, name);
    });
  }

  it("leads to each operation, whose page has its commands, and no token of the lab", async () => {
    const labToken = "a-token-of-32-letters-and-digits";
    await using lab = openLab({ issuer, labToken });
    const tab = await openTab(lab);
    await tab.post("/lab/enter", { token: labToken });
    const html = await tab.html("/lab/api");
    for (const { name, path } of operations) {
      assert(html.includes(`<code>${path}</code>`), path);
      assert(html.includes(`href="/lab/call/${name}"`), name);
    }
    const page = textOf(await tab.html("/lab/call/put-client"));
    assertMatch(page, /hallpass call put-client --id demo-spa --redirectUris /);
    assertMatch(page, /curl -X PUT http\S+\/lab\/clients\/demo-spa .*Bearer \$LAB_TOKEN/);
    assert(!(html + page).includes(labToken));
    const found = textOf(await tab.html("/lab/api?q=mint+code"));
    assertMatch(found, /1 of \d+ .*mint-code POST \/codes/);
  });

  it("names what each button does, with an object, in the words of a user", async () => {
    for (const operation of operations) {
      const title = titleOf(operation);
      if (operation.method !== "GET") assertMatch(title, /^[A-Z][a-z]+ \S/);
      assertNotMatch(title, /\b(?:Api|Jwks|Mcp|Openapi)\b/);
      assertNotMatch(operation.summary, /\bmembers?\b/);
    }
    await using lab = openLab({ issuer });
    const tab = await openTab(lab);
    const clock = textOf(await tab.html("/lab/call/clock"));
    assertMatch(clock, /Set the clock Moves, stops or starts the clock, and returns its time\. /);
    assertMatch(clock, /Freeze Whether the clock is stopped\. Set the clock /);
  });

  it("says what each box to tick does", async () => {
    await using lab = openLab({ issuer });
    const tab = await openTab(lab);
    // The page of a list and of a report begins with filters.
    for (const { name } of operations.filter((each) => each.method !== "GET")) {
      const html = await tab.html(`/lab/call/${name}`);
      const boxes = html.match(/<input type="checkbox"[^>]*>/g) ?? [];
      assert(boxes.every((box) => / aria-describedby=|value="(?!on")/.test(box)), name);
    }
  });

  it("shows the commands alone of what returns a stream: a page of it would never end", async () => {
    await using lab = openLab({ issuer });
    const tab = await openTab(lab);
    const html = await tab.html("/lab/call/follow-events");
    assertMatch(textOf(html), /hallpass call follow-events curl http\S+\/lab\/events/);
    assertEquals(html.includes('id="entry"'), false, "no form");
    const { status } = await tab.post("/lab/call/follow-events", {});
    assertEquals(status, 400);
  });
});
