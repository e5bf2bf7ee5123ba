import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import { openLab } from "../../../src/lab/open_lab.ts";
import { textOf } from "../../support/browser.ts";
import { openLabKit } from "../../support/kit.ts";
import { openTab } from "../../support/lab_tab.ts";
import { present } from "../../support/present.ts";

const issuer = "http://localhost:9000";

async function openHome(query = "", config = {}): Promise<string> {
  await using lab = openLab({ issuer, ...config });
  return await (await openTab(lab)).html(`/${query}`);
}

/** Returns the names and values of the request that the page shows. */
function shownRequest(html: string): string[] {
  return [...html.matchAll(/class="part-name">([^<]*)<\/span>=<span class="part-value">([^<]*)</g)]
    .map(([, name, value]) => `${name}=${value}`);
}

describe("The home page of a lab", () => {
  it("shows the issuer, every endpoint, the clients, the users and how to start", async () => {
    const html = await openHome();
    const parts = ["token_endpoint", `${issuer}/oauth2/token`, "jwks_uri", "demo-spa"];
    for (const part of [...parts, "demo-web-secret", "demo-service", "alice", "carol"]) {
      assert(html.includes(part), part);
    }
    const started = [...html.matchAll(/\/start\?client_id=([\w-]+)/g)].map(([, id]) => id);
    assertEquals(started, ["demo-spa", "demo-web", "demo-cli"]);
    assertNotMatch(html, /_supported/);
  });

  it("lists ten clients and ten users, and leads to all of them", async () => {
    const named = (prefix: string) => Array.from({ length: 12 }, (_, at) => `${prefix}-${at}`);
    const html = await openHome("", {
      clients: named("app").map((id) => ({ id, redirectUris: [issuer] })),
      users: named("user").map((name) => ({ name })),
    });
    assertEquals(html.match(/<li id="client-app-/g)?.length, 10);
    assertEquals(html.match(/<td class="first-line"><code>user-/g)?.length, 10);
    assertMatch(html, /<a href="\/lab\/clients">All 12 clients</);
    assertMatch(html, /<a href="\/lab\/users">All 12 users</);
    assertMatch(await openHome(), /<a href="\/lab\/users">All users</);
  });

  it("says without the lab's token what a client is for, and shows no secret", async () => {
    const html = await openHome("", { labToken: "a-token-of-32-letters-and-digits" });
    assertMatch(textOf(html), /demo-service.*A service that acts for itself.*It has a secret/);
    assertNotMatch(html, /demo-web-secret|demo-service-secret/);
  });

  it("is replaced by a page of the configuration", async () => {
    const html = await openHome("", {
      pages: { home: () => ({ type: "h1", props: { children: "Mine" }, key: null }) },
    });
    assertNotMatch(html, /Start a flow/);
  });
});

describe("The flow builder", () => {
  it("shows the request that is sent, and explains each part", async () => {
    const html = await openHome();
    assertEquals(shownRequest(html), [
      "response_type=code",
      "client_id=demo-spa",
      `redirect_uri=${issuer}/authorized`,
      "scope=openid profile read",
      "state=(random)",
      "nonce=(random)",
      "code_challenge=(SHA-256 of a random verifier)",
      "code_challenge_method=S256",
    ]);
    assertEquals(html.match(/class="see"/g)?.length, 8);
  });

  it("grows with each choice, also without scripts", async () => {
    const query = "?chosen=1&client_id=demo-web&user=bob&scope=openid&prompt=login&max_age=60" +
      "&response_mode=form_post&jarm=on&dpop=on";
    const shown = shownRequest(await openHome(query));
    const parts = [
      ...["client_id=demo-web", "scope=openid", "login_hint=bob", "prompt=login", "max_age=60"],
      ...["response_mode=form_post.jwt", "dpop_jkt=(thumbprint of the client's key)"],
    ];
    assertEquals(parts.filter((part) => !shown.map(String).includes(part)), []);
  });

  it("shows each message of a request that is signed and pushed", async () => {
    const html = await openHome("?client_id=demo-web&par=on&jar=on");
    const text = textOf(html);
    assertMatch(text, /1\. The client signs.*2\. The client pushes.*POST.*3\. The browser goes/s);
    assertEquals(shownRequest(html).slice(-2), [
      "client_id=demo-web",
      "request_uri=(from the response)",
    ]);
  });

  it("shows only what a client can do, and must", async () => {
    const spa = await openHome("?client_id=demo-spa&jar=on");
    assertMatch(spa, /id="jar" name="jar" disabled/);
    const fapi = await openHome("", { profile: "fapi-2.0" });
    assertMatch(fapi, /id="par" name="par" checked disabled/);
    assertMatch(fapi, /id="dpop" name="dpop" checked disabled/);
  });

  const flows: Array<[query: string, sends: RegExp]> = [
    ["client_id=demo-spa&chosen=1&scope=openid", /scope=openid&/],
    ["client_id=demo-spa&user=bob&prompt=login&max_age=9", /prompt=login&max_age=9&login_hint=bob/],
    ["client_id=demo-spa&user=bob", /prompt=login&login_hint=bob/],
    ["client_id=demo-spa&response_mode=form_post", /response_mode=form_post/],
    ["client_id=demo-spa&dpop=on", /dpop_jkt=[\w-]{43}/],
    ["client_id=demo-web&jar=on", /^client_id=demo-web&request=eyJ/],
    ["client_id=demo-web&par=on", /^client_id=demo-web&request_uri=urn/],
    ["client_id=demo-web&par=on&jar=on&jarm=on&dpop=on", /^client_id=demo-web&request_uri=urn/],
  ];
  for (const [query, sends] of flows) {
    it(`starts the flow, which the server accepts: ${query}`, async () => {
      const kit = openLabKit({ issuer });
      const browser = kit.browser();
      const start = await browser.request(`${issuer}/start?${query}`);
      const location = new URL(present(start.headers.get("Location")));
      assertMatch(location.search.slice(1), sends);
      const page = await browser.open(location.href);
      assertMatch(page.html, /<form id="sign-in"/);
    });
  }

  it("marks what a mistake leaves out or makes wrong, and counts the mistakes", async () => {
    const html = await openHome("?client_id=demo-spa&mistake=pkce&mistake=redirect_uri");
    assertEquals(html.match(/<s>\w+<\/s>/g), [
      "<s>code_challenge</s>",
      "<s>code_challenge_method</s>",
    ]);
    assertMatch(html, /class="broken"><dt>[^]*?redirect_uri[^]*?>wrong</);
    assertMatch(html, /id="mistake-count"[^>]*><span class="tag bad">2 mistakes</);
    assertNotMatch(await openHome("?client_id=demo-spa"), /class="broken"|<s>|mistakes?</);
  });

  it("describes a client that users sign in to on another device", async () => {
    const grantTypes = ["urn:ietf:params:oauth:grant-type:device_code"];
    assertMatch(await openHome("", { clients: [{ id: "tv", grantTypes }] }), /A device without a/);
  });

  it("remembers what was started last, without scripts", async () => {
    const kit = openLabKit({ issuer });
    const browser = kit.browser();
    const shown = async (url: string) => await (await browser.request(`${issuer}${url}`)).text();
    const choice = "chosen=1&client_id=demo-web&scope=openid&mistake=pkce&other=foo%3Db%C3%A4r";
    await shown("/start?client_id=demo-cli&scope=openid");
    assert(shownRequest(await shown("/")).includes("client_id=demo-spa"));
    await shown(`/start?${choice}`);
    const again = await shown("/");
    const parts = ["client_id=demo-web", "scope=openid", "foo=bär"];
    for (const part of parts) assert(shownRequest(again).includes(part), part);
    assertNotMatch(shownRequest(again).join(), /code_challenge=/);
    assertMatch(again, /href="\/\?client_id=demo-web">Start from defaults/);
    assert(shownRequest(await shown("/?client_id=demo-spa")).includes("client_id=demo-spa"));
  });

  it("does not remember what another site started, or what is too long for a cookie", async () => {
    const kit = openLabKit({ issuer });
    const start = (query: string, headers = {}) => kit.get(`/start?${query}`, headers);
    const choice = "chosen=1&client_id=demo-web";
    for (
      const response of [
        await start(choice, { "Sec-Fetch-Site": "cross-site" }),
        await start(`${choice}&other=${"a=b%0A".repeat(600)}`),
      ]
    ) assertNotMatch(response.headers.getSetCookie().join(), /lab-choice/);
    const { headers } = await start(choice);
    const shown = headers.getSetCookie().join();
    assertMatch(shown, /lab-choice=[^;]*; Path=\/; HttpOnly; SameSite=Strict/);
  });

  it("ignores what makes no sense", async () => {
    const query = "?client_id=nobody&prompt=dance&max_age=-1&response_mode=smoke&scope=unknown";
    const shown = shownRequest(await openHome(`${query}&chosen=1`));
    assertEquals(shown.filter((part) => /dance|-1|smoke|unknown|nobody/.test(part)), []);
  });
});
