/** @jsxImportSource preact */
import { assertEquals, assertMatch, assertNotMatch, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import type { VNode } from "preact";
import { Rows } from "../../../src/lab/pages/parts/rows.tsx";
import { schemaFields } from "../../../src/lab/pages/parts/schema_fields.ts";
import { Verdict } from "../../../src/lab/pages/parts/verdict.tsx";
import { renderPage } from "../../../src/server/pages/pages.ts";
import { textOf } from "../../support/browser.ts";
import { needs } from "../../support/where_feature.ts";

const render = async (content: VNode) =>
  await renderPage(
    <html lang="en">
      <body>{content}</body>
    </html>,
  );

describe("The parts that pages of the lab are made of", () => {
  it("write the state of a row in words", async () => {
    const html = await render(
      <Rows
        rows={[
          { id: "one", tone: "bad", state: "refused", title: "demo-spa", note: "invalid_client" },
          { id: "two", tone: "good", state: "issued", title: "demo-web" },
        ]}
      />,
    );
    assertMatch(textOf(html), /refused demo-spa invalid_client issued demo-web/);
    assertMatch(html, /<li class="row bad" id="one"><span class="dot"/);
  });

  it("say a verdict before what follows from it", async () => {
    const html = await render(
      <Verdict tone="bad" id="verdict" title="Accepts 6 attacks" actions={<a href="/">Fix</a>}>
        <p>The first.</p>
      </Verdict>,
    );
    assertMatch(textOf(html), /Accepts 6 attacks The first\. Fix/);
    assertMatch(html, /<section class="verdict bad" id="verdict" role="status">/);
    assertNotMatch(html, /data-live/);
  });

  it("make a form from the schema of an operation", needs("faults"), async () => {
    const fields = await schemaFields("FaultOptions", {
      client: { label: "For client" },
      loginHint: {},
      times: {},
      merge: {},
      mayStayIdle: {},
      unset: {},
    });
    assertEquals(fields.map(({ label, kind }) => [label, kind]), [
      ["For client", "text"],
      ["Login hint", "text"],
      ["Times", "count"],
      ["Merge", "json"],
      ["May stay idle", "check"],
      ["Unset", "words"],
    ]);
    assertEquals(fields[2]?.help?.split(" Default: ")[0], "How often it fires.");
  });

  it("give a field its default as a hint, and a long one in its sentence", async () => {
    const members = { redirectUri: {}, audience: {} };
    const [short, long] = await schemaFields("MintCodeOptions", members);
    assertEquals(short?.hint, "the first of the client");
    assertMatch(long?.help ?? "", / Default: the default resource of the server\.$/);
    assertEquals(long?.hint, undefined);
  });

  it("refuse a form for a member that the operation does not take", needs("faults"), async () => {
    await assertRejects(() => schemaFields("FaultOptions", { strength: {} }), Error, "strength");
  });
});
