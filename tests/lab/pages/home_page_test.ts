import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import type { Lab } from "../../../src/lab/lab.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { textOf } from "../../support/browser.ts";
import { openLabKit } from "../../support/kit.ts";
import { authorizationUrlIn, flowCode, redeemIn } from "../../support/lab_flow.ts";
import { openTab } from "../../support/lab_tab.ts";
import { present } from "../../support/present.ts";
import type { Fields } from "../../support/test_client.ts";
import { needs } from "../../support/where_feature.ts";

const issuer = "http://localhost:9000";

async function openHome(query = "", config = {}): Promise<string> {
  await using lab = openLab({ issuer, ...config });
  return await (await openTab(lab)).html(`/${query}`);
}

/** Returns the home page after a request whose redirect_uri was refused. */
async function afterRefusal(lab: Lab, changes: Fields = {}): Promise<string> {
  const redirect_uri = "http://localhost:3000/callback";
  await lab.fetch(new Request(authorizationUrlIn(lab, { redirect_uri, ...changes })));
  return await (await openTab(lab)).html("/");
}

/** Returns the names and values of the request that the page shows. */
function shownRequest(html: string): string[] {
  return [...html.matchAll(/class="part-name">([^<]*)<\/span>=<span class="part-value">([^<]*)</g)]
    .map(([, name, value]) => `${name}=${value}`);
}

describe("The home page of a lab", () => {
  const waits = "waits for an application, and shows how to connect one or to start without one";
  it(`U6: ${waits}`, needs("connect"), async () => {
    const text = textOf(await openHome());
    assertMatch(text, /Waiting for the first request of your application …/);
    assertMatch(
      text,
      /Issuer: http:\/\/localhost:9000 .*CLIENT_ID=demo-web CLIENT_SECRET=demo-web-sec/,
    );
    assertMatch(text, /No application yet\? Start a flow as Demo single-page app Options/);
  });

  it("U6: has 60 % of its former bytes at most, in a new lab and after a flow", async () => {
    await using lab = openLab({ issuer });
    const tab = await openTab(lab);
    const before = 35_510;
    for (const page of [await tab.html("/"), await afterRefusal(lab)]) {
      assert(new TextEncoder().encode(page).length < 0.6 * before);
    }
  });

  it("leads to every endpoint, the users and the clients, a click away", async () => {
    await using lab = openLab({ issuer });
    const tab = await openTab(lab);
    assertMatch(await tab.html("/"), /href="\/lab\/setup"/);
    const setup = await tab.html("/lab/setup");
    const parts = ["token_endpoint", `${issuer}/oauth2/token`, "jwks_uri", "demo-spa"];
    for (const part of [...parts, "demo-web-secret", "demo-service", "alice", "carol"]) {
      assert(setup.includes(part), part);
    }
    assertNotMatch(setup, /_supported/);
    const starts = await Promise.all(
      lab.clients.list().map(async ({ id }) =>
        [...(await tab.html(`/lab/clients/${id}`)).matchAll(/\/start\?client_id=([\w-]+)/g)]
          .map(([, started]) => started)
      ),
    );
    assertEquals(starts.flat(), ["demo-spa", "demo-web", "demo-cli"]);
  });

  it("lists ten clients and ten users on the page Setup, and leads to all of them", async () => {
    const named = (prefix: string) => Array.from({ length: 12 }, (_, at) => `${prefix}-${at}`);
    await using lab = openLab({
      issuer,
      clients: named("app").map((id) => ({ id, redirectUris: [issuer] })),
      users: named("user").map((name) => ({ name })),
    });
    const html = await (await openTab(lab)).html("/lab/setup");
    assertEquals(html.match(/href="\/lab\/clients\/app-/g)?.length, 10);
    assertEquals(html.match(/href="\/lab\/users\/user-/g)?.length, 10);
    assertMatch(html, /<a href="\/lab\/clients">All 12</);
    assertMatch(html, /<a href="\/lab\/users">All 12</);
  });

  it("shows no secret without the lab's token", async () => {
    const html = await openHome("", { labToken: "a-token-of-32-letters-and-digits" });
    assertMatch(html, /id="start-flow"/);
    assertNotMatch(html, /demo-web-secret|demo-service-secret|id="listener"/);
  });

  it("is replaced by a page of the configuration", async () => {
    const html = await openHome("", {
      pages: { home: () => ({ type: "h1", props: { children: "Mine" }, key: null }) },
    });
    assertNotMatch(html, /Start a flow/);
  });
});

describe("The live line of the home page", () => {
  it("U6: becomes the flow of an application, with its verdict", async () => {
    await using lab = openLab({ issuer });
    await redeemIn(lab, await flowCode(lab));
    const html = await (await openTab(lab)).html("/");
    assertMatch(textOf(html), /alice → demo-spa, \S+: Tokens issued See what happened All flows/);
    assertMatch(html, /class="verdict good" id="listener" role="status" data-live/);
    assertMatch(html, /id="latest-flow" href="\/lab\/flows\/flow-1"/);
  });
});

describe("The latest flow on the home page", () => {
  /** Opens the home page after three flows of which some requests are forgotten, others of drills. */
  async function shownAfter(
    { forgotten, drilled }: { forgotten: string[]; drilled: string[] },
  ): Promise<string> {
    await using lab = openLab({ issuer });
    for (let flow = 0; flow < 3; flow++) await redeemIn(lab, await flowCode(lab));
    const idsOf = (names: string[]) =>
      new Set(
        lab.flows().filter(({ id }) => names.includes(id))
          .flatMap(({ steps }) => steps.map(({ exchange }) => exchange)),
      );
    const [gone, ofDrills] = [idsOf(forgotten), idsOf(drilled)];
    const left = lab.exchanges().filter(({ id }) => !gone.has(id));
    for (const exchange of left) if (ofDrills.has(exchange.id)) exchange.drill = 1;
    lab.exchanges = () => left;
    const html = await (await openTab(lab)).html("/");
    const [, shown = "none"] = /id="latest-flow" href="\/lab\/flows\/([^"]*)"/.exec(html) ?? [];
    assertNotMatch(html, /No longer recorded/);
    return shown;
  }

  it("is one whose requests are recorded, and of a drill only if there is no other", async () => {
    const [forgotten, drilled] = [["flow-3"], ["flow-2"]];
    assertEquals(await shownAfter({ forgotten: [], drilled: [] }), "flow-3");
    assertEquals(await shownAfter({ forgotten, drilled: [] }), "flow-2");
    assertEquals(await shownAfter({ forgotten, drilled }), "flow-1");
    assertEquals(await shownAfter({ forgotten: ["flow-1", "flow-3"], drilled }), "flow-2");
    assertEquals(await shownAfter({ forgotten: ["flow-1", "flow-2", "flow-3"], drilled }), "none");
  });
});

describe("The flow builder", () => {
  it("shows the request that is sent, and the first step of the flow explains each part", async () => {
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
    await using lab = openLab({ issuer });
    await flowCode(lab);
    const step = await (await openTab(lab)).html("/lab/flows/flow-1?step=2");
    const [, parameters = ""] = /<dl class="pairs parameters">(.*?)<\/dl>/s.exec(step) ?? [];
    assertEquals(parameters.match(/class="see"/g)?.length, 8);
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
    assertMatch(spa, /id="jar" name="jar" value="on" disabled/);
    const fapi = await openHome("", { profile: "fapi-2.0" });
    assertMatch(fapi, /id="par" name="par" value="on" checked disabled/);
    assertMatch(fapi, /id="dpop" name="dpop" value="on" checked disabled/);
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
      "<s>nonce</s>",
    ]);
    assertMatch(html, /class="broken"><code>[^]*?redirect_uri[^]*?>wrong</);
    assertMatch(html, /id="mistake-count"[^>]*><span class="tag bad">2 mistakes</);
    assertNotMatch(await openHome("?client_id=demo-spa"), /class="broken"|<s>|mistakes?</);
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
