import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe } from "node:test";
import { openLab } from "../../../src/lab/open_lab.ts";
import { itWith } from "../../support/it_with.ts";
import type { Fields } from "../../support/kit.ts";
import { openTab } from "../../support/lab_tab.ts";

const it = itWith({ inLab: () => openLab({ issuer }) });

const issuer = "http://localhost:9000";

async function explain(text: string, lab = openLab({ issuer })): Promise<string> {
  const response = await (await openTab(lab)).post("/lab/tokens/explain", { text });
  assertEquals(response.status, 200);
  return await response.text();
}

describe("The page of tokens", () => {
  it.inLab("mints tokens and shows each one decoded", async (lab) => {
    const tab = await openTab(lab);
    const fields = { sub: "alice", scope: "openid offline_access", claims: '{"color":"teal"}' };
    const html = await (await tab.post("/lab/call/mint-token", fields)).text();
    assertMatch(html, /Access token \(RFC 9068\).*ID token \(OpenID Connect\)/s);
    assertMatch(html, /refresh_token/);
    assertMatch(html, /teal/);
    assertEquals(html.match(/The signature is valid: key /g)?.length, 2);
  });

  const problems: Array<[fields: Fields, problem: RegExp]> = [
    [{ sub: "" }, /'sub' is missing/],
    [{ kind: "nonsense" }, /'kind' must be one of/],
    [{ client: "nobody" }, /nobody/],
    [{ claims: "[1]" }, /'Claims' must be a JSON object/],
    [{ expiresIn: "soon" }, /not a valid duration/],
  ];
  for (const [fields, problem] of problems) {
    it.inLab(`explains why it cannot mint ${JSON.stringify(fields)}`, async (lab) => {
      const tab = await openTab(lab);
      const response = await tab.post("/lab/call/mint-token", {
        sub: "alice",
        scope: "x",
        ...fields,
      });
      const html = await response.text();
      assertEquals(response.status, 422);
      assertMatch(/id="problem"[^>]*>([^<]*)/.exec(html)?.[1] ?? "", problem);
      assertMatch(html, /name="scope"[^>]*value="x"/);
    });
  }

  it.inLab("explains every JWT in a token response", async (lab) => {
    const tokens = await lab.mint({ sub: "alice", scope: "openid" });
    const html = await explain(JSON.stringify(tokens), lab);
    assertEquals(html.match(/class="decoded"/g)?.length, 2);
    assertMatch(html, /It is active: this lab accepts it/);
  });

  it.inLab("explains a JWT in a header and in a URL", async (lab) => {
    const { token } = await lab.mint({ sub: "alice" });
    for (
      const text of [`Authorization: Bearer ${token}\r\n`, `https://a.example/?t=${token}&x=1`]
    ) {
      assertMatch(await explain(text, lab), /The signature is valid/);
    }
  });

  it.inLab("recognizes what is no JWT", async (lab) => {
    const { refresh_token = "" } = await lab.mint({ sub: "alice", scope: "offline_access" });
    assertMatch(await explain(refresh_token, lab), /active refresh token of the client/);
    assertMatch(await explain("a.b.c.d.e"), /encrypted JWT/);
    assertMatch(await explain("nonsense"), /Not a JWT/);
  });

  it.inLab("U6: shows a result before the forms", async (lab) => {
    const tab = await openTab(lab);
    const minted = await tab.post("/lab/call/mint-token", { sub: "alice", scope: "openid" });
    for (const html of [await minted.text(), await explain("nonsense")]) {
      assert(html.indexOf('id="result"') > 0);
      assert(html.indexOf('id="result"') < html.indexOf('id="entry"'));
    }
  });

  it.inLab("keeps tokens out of URLs", async (lab) => {
    const html = await (await openTab(lab)).html("/lab/tokens");
    assert(!/<form(?![^>]*method="post")/.test(html));
  });
});
