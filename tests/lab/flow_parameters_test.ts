import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import type { LabConfig } from "../../src/lab/lab_config.ts";
import { type Page, textOf } from "../support/browser.ts";
import { openLabKit } from "../support/kit.ts";
import { present } from "../support/present.ts";

type LabKit = ReturnType<typeof openLabKit>;

const choices = (fields: Record<string, string>) =>
  new URLSearchParams({ client_id: "demo-spa", ...fields });

async function begin(kit: LabKit, fields: Record<string, string>): Promise<URLSearchParams> {
  const response = await kit.get(`/start?${choices(fields)}`);
  return new URL(present(response.headers.get("Location"))).searchParams;
}

/** Walks through a flow until the page that shows its end, or that refuses it. */
async function walk(kit: LabKit, fields: Record<string, string>) {
  const browser = kit.browser();
  const page = await browser.open(`${kit.issuer}/start?${choices(fields)}`);
  if (page.status === 400) return { browser, page };
  const url = await browser.authorize(`${kit.issuer}/start?${choices(fields)}`);
  const response = await browser.request(url);
  const { status, headers } = response;
  return { browser, page: { url, status, headers, html: await response.text() } };
}

describe("The parameters of a flow that the lab starts", () => {
  const fields: Array<[fields: Record<string, string>, name: string, values: string[]]> = [
    [{ login_hint: "carol", user: "bob" }, "login_hint", ["carol"]],
    [{ acr_values: "a b" }, "acr_values", ["a b"]],
    [{ claims: '{"id_token":{"email":null}}' }, "claims", ['{"id_token":{"email":null}}']],
    [{ resource: "https://a.example https://b.example" }, "resource", [
      "https://a.example",
      "https://b.example",
    ]],
    [{ ui_locales: "de en" }, "ui_locales", ["de en"]],
    [{ other: "display = page\r\n\r\nfoo=a=b" }, "display", ["page"]],
    [{ other: "foo=a=b" }, "foo", ["a=b"]],
    [{ other: "foo=1\nfoo=2" }, "foo", ["1", "2"]],
    [{ other: "scope=openid" }, "scope", ["openid"]],
    [{ other: "nonce=" }, "nonce", [""]],
    [{ other: "scope=openid\nscope=profile" }, "scope", ["openid", "profile"]],
    [{ mistake: "pkce" }, "code_challenge", []],
    [{ mistake: "pkce" }, "code_challenge_method", []],
    [{ mistake: "plain" }, "code_challenge_method", ["plain"]],
    [{ mistake: "redirect_uri" }, "redirect_uri", ["https://hallpass.test/authorized/wrong"]],
  ];
  for (const [chosen, name, values] of fields) {
    it(`have what was chosen: ${new URLSearchParams(chosen)}`, async () => {
      assertEquals((await begin(openLabKit(), chosen)).getAll(name), values);
    });
  }

  it("are in a signed and pushed request, too", async () => {
    const kit = openLabKit();
    const query = choices({
      client_id: "demo-web",
      par: "on",
      jar: "on",
      resource: "https://a.example https://b.example",
      other: "ui_locales=fr",
    });
    await kit.browser().open(`${kit.issuer}/start?${query}`);
    const [pushed] = [...await kit.lab.context.records.storedRequests.list()];
    const { resources } = present(pushed)[1].authorizationRequest;
    assertEquals(resources, ["https://a.example", "https://b.example"]);
  });

  const refused: Array<[other: string, says: RegExp]> = [
    ["nothing", /name=value; this line is not: nothing/],
    ["=value", /name=value; this line is not: =value/],
    ["state=mine", /The lab sets 'state' itself/],
    ["redirect_uri=https://attacker.example", /The lab sets 'redirect_uri' itself/],
    ["client_id=other", /The lab sets 'client_id' itself/],
    ["request_uri=urn:x", /The lab sets 'request_uri' itself/],
  ];
  for (const [other, says] of refused) {
    it(`refuses '${other}', and the builder says so`, async () => {
      const kit = openLabKit();
      const start = await kit.get(`/start?${choices({ other })}`);
      assertEquals(start.status, 400);
      assertMatch(textOf(await start.text()), says);
      const home = await kit.get(`/?${choices({ other, chosen: "1" })}`);
      assertMatch(textOf(await home.text()), says);
    });
  }
});

describe("A mistake of a flow that the lab starts", () => {
  const atOnce: Array<[mistake: string, says: RegExp]> = [
    ["redirect_uri", /The redirect_uri must be identical to one that the client registered/],
    ["pkce", /Authorization Failed.*code_challenge/],
    ["plain", /Authorization Failed.*S256/],
  ];
  for (const [mistake, says] of atOnce) {
    it(`is refused at the authorization endpoint: ${mistake}`, async () => {
      assertMatch(textOf((await walk(openLabKit(), { mistake })).page.html), says);
    });
  }

  it("is refused at the token endpoint: verifier", async () => {
    const { browser, page } = await walk(openLabKit(), { mistake: "verifier" });
    await browser.submit(page, "send-exchange");
    const after = await (await browser.request(page.url)).text();
    assertMatch(textOf(after), /400.*invalid_grant/);
  });

  it("leaves a code whose exchange needs no verifier: pkce", async () => {
    const clients: LabConfig["clients"] = [
      {
        id: "web",
        secret: "s".repeat(32),
        pkce: "optional",
        redirectUris: ["https://app.example/"],
      },
    ];
    const kit = openLabKit({ clients });
    const { browser, page } = await walk(kit, { client_id: "web", mistake: "pkce" });
    await browser.submit(page, "send-exchange");
    const after = await (await browser.request(page.url)).text();
    assertMatch(textOf(after), /access_token , decoded/);
  });

  const needed: Array<[mistake: string, says: RegExp]> = [
    ["par", /must push its authorization requests/],
    ["dpop", /dpop/i],
  ];
  for (const [mistake, says] of needed) {
    it(`is refused for a client that must do it: ${mistake}`, async () => {
      const kit = openLabKit({ profile: "fapi-2.0" });
      const [client] = kit.lab.clients.list();
      const { browser, page } = await walk(kit, { client_id: present(client).id, mistake });
      const shown = await exchanged(browser, page);
      assertMatch(textOf(shown), says);
    });
  }

  it("is no choice where it makes no difference", async () => {
    const html = await (await openLabKit().get("/")).text();
    assertEquals(mistakesIn(html), ["pkce", "plain", "verifier", "redirect_uri"]);
    const clients = [{ id: "web", redirectUris: ["https://app.example/"], requirePar: true }];
    const own = await (await openLabKit({ clients }).get("/")).text();
    assertEquals(mistakesIn(own), ["pkce", "plain", "verifier", "redirect_uri", "par"]);
  });

  async function exchanged(
    browser: {
      submit: (page: Page, form: string) => Promise<Page>;
      request: (url: string) => Promise<Response>;
    },
    page: Page,
  ) {
    if (!page.html.includes('id="send-exchange"')) return page.html;
    await browser.submit(page, "send-exchange");
    return await (await browser.request(page.url)).text();
  }

  function mistakesIn(html: string): string[] {
    return [...html.matchAll(/name="mistake" value="(\w+)"/g)].map(([, name]) => present(name));
  }
});
