import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import type { Lab } from "../../../../src/lab/lab.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";

const issuer = "http://localhost:9000";

async function open(path: string, lab = openLab({ issuer })): Promise<[number, string]> {
  const headers = { Accept: "text/html" };
  const response = await lab.fetch(new Request(issuer + path, { headers }));
  return [response.status, await response.text()];
}

const show = (query: string, lab?: Lab) => open(`/lab/evaluate${query}`, lab);

describe("The page that evaluates", () => {
  it("asks who asks for what, and evaluates nothing yet", async () => {
    const [status, html] = await show("?client=demo-spa");
    assertEquals(status, 200);
    assertMatch(html, /<option value="demo-spa" selected/);
    assertMatch(html, /name="scope" value="openid"/);
    assertNotMatch(html, /id="result"/);
  });

  it("shows the claims that a client would get, from an address that can be shared", async () => {
    const [status, html] = await show("?user=alice&client=demo-spa&scope=openid&scope=email");
    assertEquals(status, 200);
    const [, idToken = ""] = html.split("<h2>ID token</h2>");
    assertMatch(idToken.split("<h2>")[0] ?? "", /&quot;email&quot;: &quot;alice@example\.com/);
    assertMatch(html, /await lab\.evaluate\(/);
  });

  it("follows the lab, as its other pages do", async () => {
    const [, html] = await show("?user=alice&client=demo-spa");
    assertMatch(html, /data-live-url="\/lab\/live".* id="connection".* id="result" data-live/s);
  });

  it("shows a refusal with its rule and advice", async () => {
    const [status, html] = await show("?user=alice&client=demo-service");
    assertEquals(status, 200);
    assertMatch(html, /lab\/rules#response_type\.allowed/);
    assertMatch(html, /Add the grant 'authorization_code' to the client/);
  });

  it("says what is wrong with a question", async () => {
    const [status, html] = await show("?user=alice&client=demo-spa&claims=[1]");
    assertEquals(status, 422);
    assertMatch(html, /'claims' must be a JSON object/);
    assertMatch(html, /<textarea id="claims"[^>]* aria-invalid/);
  });

  it("is linked from each user and client, and from the tokens", async () => {
    const [, user] = await open("/lab/users/alice");
    const [, client] = await open("/lab/clients/demo-spa");
    const [, tokens] = await open("/lab/tokens");
    assertMatch(user, /href="\/lab\/evaluate\?user=alice"/);
    assertMatch(client, /href="\/lab\/evaluate\?client=demo-spa"/);
    assertMatch(tokens, /href="\/lab\/evaluate"/);
  });

  it("is guarded by the token of the lab", async () => {
    await using lab = openLab({ issuer, labToken: "a-long-enough-token" });
    const [, html] = await show("?user=alice&client=demo-spa&scope=openid+email", lab);
    assertNotMatch(html, /alice@example/);
  });
});
