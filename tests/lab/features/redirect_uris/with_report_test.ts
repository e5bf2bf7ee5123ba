import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { describe } from "node:test";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { textOf } from "../../../support/browser.ts";
import { itWith } from "../../../support/it_with.ts";
import { authorizationUrlIn } from "../../../support/lab_flow.ts";
import { openTab } from "../../../support/lab_tab.ts";

const issuer = "http://localhost:9000";
const redirectUris = ["http://localhost:3000/callback", "http://localhost:4000/callback"];

const it = itWith({ inLab: () => openLab({ issuer }) });

describe("A refused redirect_uri in the report", () => {
  it.inLab("has a button for each, which registers it and leads back to its result", async (lab) => {
    const [redirect_uri = "", other = ""] = redirectUris;
    for (const [client_id, uri] of [["demo-spa", redirect_uri], ["demo-web", other]]) {
      const url = authorizationUrlIn(lab, { client_id, redirect_uri: uri });
      await lab.fetch(new Request(url));
    }
    const tab = await openTab(lab);
    const html = await tab.html("/lab/report");
    const ids = [...html.matchAll(/id="(fix-[^"]+)"/g)].map(([, id = ""]) => id);
    assertEquals(ids, ["fix-client-1-refused-1", "fix-client-2-refused-1"]);
    const back = "/lab/report#fixed-client-1-refused-1";
    assertStringIncludes(html, `name="back" value="${back}"`);
    const fields = { request: "1", client: "demo-spa", uri: redirect_uri, back };
    const { headers } = await tab.post("/lab/register-redirect-uri", fields);
    assertEquals(headers.get("Location"), back);
    assert(lab.clients.get("demo-spa").redirectUris?.includes(redirect_uri));
    const done = await tab.html("/lab/report");
    assertMatch(textOf(done), /The redirect_uri is registered Sign in at your application again/);
    assertNotMatch(done, /id="fix-client-1-refused-1"/);
  });

  it.inLab("has none once the client was accepted", async (lab) => {
    const [redirect_uri = ""] = redirectUris;
    const url = authorizationUrlIn(lab, { redirect_uri });
    await lab.fetch(new Request(url));
    const client = lab.clients.get("demo-spa");
    lab.clients.put({ ...client, redirectUris: [redirect_uri] });
    await lab.fetch(new Request(url));
    const report = textOf(await (await openTab(lab)).html("/lab/report"));
    assertMatch(report, /Refused at first, accepted since/);
    assertNotMatch(report, /The redirect_uri is registered/);
  });
});
