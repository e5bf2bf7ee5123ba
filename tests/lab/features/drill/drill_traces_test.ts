import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import { textOf } from "../../../../src/lab/util/html_forms.ts";
import { openDrilledLab, origin } from "../../../support/drilled_application.ts";
import { openTab } from "../../../support/lab_tab.ts";
import { testClient } from "../../../support/test_client.ts";
import { needs } from "../../../support/where_feature.ts";

/** Drills an application at a lab where a developer has signed in to another one. */
async function openUsedLab() {
  const { lab } = await openDrilledLab("careful");
  const tab = await openTab(lab as never, undefined, (request) => lab.fetch(request));
  await testClient().tokens(lab as never);
  const [own] = lab.flows();
  await lab.drill({ start: `${origin}/`, logout: `${origin}/logout` }, [
    ...["callback.denied", "id_token.wrong_aud", "second_user", "old_cookie"] as const,
  ]);
  const html = async (path: string) => await tab.html(path);
  return { lab, html, own: own?.id ?? "" };
}

describe("After a drill", () => {
  it("the lists of flows and other requests have one row for it, its first login included", async () => {
    const { lab, html, own } = await openUsedLab();
    const rows = [...(await html("/lab/flows")).matchAll(/<li class="row.*?<\/li>/gs)]
      .map(([row]) => textOf(row));
    const flows = rows.filter((row) => /Drill of \S+, \d+ flows/.test(row));
    assertEquals([flows.length, rows.filter((row) => row.includes("flow-"))], [
      1,
      rows.filter((row) => row.includes(own)),
    ]);
    await lab.close();
  });

  it("the list of what faults changed has one row for it, which leads to its logins", async () => {
    const { lab, html } = await openUsedLab();
    const [, fired = ""] = /id="strikes".*?<ul(.*?)<\/ul>/s.exec(await html("/lab/faults")) ?? [];
    assertMatch(textOf(fired), /Drill of http:\/\/localhost:3000, \d+ requests/);
    assertEquals(fired.match(/<li/g)?.length, 1);
    const [, href = ""] = /href="(\/lab\/flows\?like=[^"]*)"/.exec(fired) ?? [];
    assertMatch(textOf(await html(href)), /id_token\.wrong_aud/);
    await lab.close();
  });

  it("the home page shows the last flow of the developer", async () => {
    const { lab, html, own } = await openUsedLab();
    assertMatch(await html("/"), new RegExp(`href="/lab/flows/${own}"`));
    await lab.close();
  });

  it("a client that was drilled alone has a report on its first logins", async () => {
    const { lab } = await openDrilledLab("careful");
    await lab.drill({ start: `${origin}/` }, ["callback.denied"]);
    assertEquals(lab.report().clients.map(({ client }) => client), ["drilled"]);
    await lab.close();
  });

  it("a login that failed without a fault is one of the developer", async () => {
    const { lab } = await openDrilledLab("careful");
    lab.clients.remove("drilled");
    await lab.drill({ start: `${origin}/` }).catch(() => {});
    const tab = await openTab(lab as never, undefined, (request) => lab.fetch(request));
    assertNotMatch(textOf(await tab.html("/lab/flows")), /Drill of/);
    await lab.close();
  });

  it("no session that began in it goes on, and no token of one", needs("sessions"), async () => {
    const { lab } = await openUsedLab();
    const sessions = await lab.sessions();
    assertEquals(sessions.map(({ tokens }) => tokens.map(({ client }) => client)), [["demo-spa"]]);
    await lab.close();
  });
});
