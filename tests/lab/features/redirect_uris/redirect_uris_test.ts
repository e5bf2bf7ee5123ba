import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { describe } from "node:test";
import type { Lab } from "../../../../src/lab/lab.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { textOf } from "../../../support/browser.ts";
import { drilledClient, openDrilledLab, origin } from "../../../support/drilled_application.ts";
import { itWith } from "../../../support/it_with.ts";
import { authorizationUrlIn, flowCode } from "../../../support/lab_flow.ts";
import { type LabTab, openTab } from "../../../support/lab_tab.ts";
import { type Fields, testClient } from "../../../support/test_client.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({ inLab: () => openLab({ issuer }) });

const issuer = "http://localhost:9000";
const redirect_uri = "http://localhost:3000/callback";
const caution = /at another host is more often a mistake than one to register\./;

/** Returns the home page after a request whose redirect_uri was refused. */
async function afterRefusal(lab: Lab, changes: Fields = {}): Promise<string> {
  await lab.fetch(new Request(authorizationUrlIn(lab, { redirect_uri, ...changes })));
  return await (await openTab(lab)).html("/");
}

/** Sends the form of a page that registers the redirect URI. */
async function send(tab: LabTab, html: string): Promise<Response> {
  const [, form = ""] = /<form[^>]*id="register-uri"[^>]*>(.*?)<\/form>/s.exec(html) ?? [];
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)];
  return await tab.post(
    "/lab/register-redirect-uri",
    Object.fromEntries(
      fields.map(([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")]),
    ),
  );
}

/** Does the same, and returns the page after it. */
async function press(tab: LabTab, html: string): Promise<string> {
  const { status, headers } = await send(tab, html);
  assertEquals(status, 303, html);
  return await tab.html(headers.get("Location") ?? "");
}

/** Opens an authorization request as a browser does, and returns the page that refuses it. */
function refusedIn(lab: Lab, tab: LabTab, changes: Fields = {}): Promise<Response> {
  const { pathname, search } = new URL(authorizationUrlIn(lab, { redirect_uri, ...changes }));
  return tab.get(pathname + search);
}

describe("The button that registers a refused redirect_uri", () => {
  it.inLab("U6: registers a redirect_uri that was refused, with one button", async (lab) => {
    const refused = await afterRefusal(lab);
    assertMatch(
      textOf(refused),
      /A request was refused demo-spa, .* Received http:\/\/localhost:3000\/callback .* Register http:/,
    );
    const tab = await openTab(lab);
    const fields = { request: "1", client: "demo-spa", uri: redirect_uri, back: "/?" };
    const { status, headers } = await tab.post("/lab/register-redirect-uri", fields);
    assertEquals([status, headers.get("Location")], [303, "/?"]);
    const uri = "http://localhost:3000/callback";
    assert(lab.clients.get("demo-spa").redirectUris?.includes(uri));
    const done = await tab.html("/");
    assertMatch(textOf(done), /The redirect_uri is registered Sign in at your application again/);
    assertMatch(
      textOf(done),
      /It lasts until the lab is reset or ends\. To keep it, add it to red/,
    );
    assertNotMatch(done, /id="register-uri"/);
    await afterRefusal(lab);
    assertMatch(textOf(await tab.html("/")), /demo-spa, \S+: (Running|Waiting)/);
  });

  it.inLab("U6: registers what the request had, where the page hides a part of it", async (lab) => {
    const redirect_uri = "http://localhost:3000/callback?code=a-code-of-somebody&next=1";
    await afterRefusal(lab, { redirect_uri });
    const tab = await openTab(lab);
    const refused = await tab.html("/");
    assertNotMatch(refused, /a-code-of-somebody/);
    await press(tab, refused);
    assert(lab.clients.get("demo-spa").redirectUris?.includes(redirect_uri));
    assertMatch(textOf(await tab.html("/")), /The redirect_uri is registered/);
  });

  it.inLab("U6: leads to what happened, where the redirect_uri is on another machine", async (lab) => {
    const html = await afterRefusal(lab, { redirect_uri: "https://evil.example/cb" });
    assertMatch(html, /class="button" id="latest-flow".*id="register-uri"/s);
    assertMatch(
      await afterRefusal(lab),
      /id="register-uri".*class="button secondary" id="latest-flow"/s,
    );
  });

  const unregistrable = [
    ["app:/cb", "it has the private scheme 'app:', which is not a reversed domain name"],
    ["https://*.app.example/cb", "it contains a wildcard; only exact URIs can be registered"],
    ["https://app.example/cb#top", "it has a fragment"],
    ["https://app.example/\u202ebc", "it is not an absolute URI"],
  ] as const;
  for (const [redirect_uri, why] of unregistrable) {
    it.inLab(`U6: offers no button for ${JSON.stringify(redirect_uri)}: ${why}`, async (lab) => {
      const html = await afterRefusal(lab, { redirect_uri });
      assertNotMatch(html, /id="register-uri"/);
      assertStringIncludes(textOf(html), `cannot be registered: ${why}.`);
      const tab = await openTab(lab);
      const { status } = await tab.post("/lab/register-redirect-uri", { request: "1" });
      assertEquals(status, 400);
    });
  }

  it.inLab("U6: registers nothing for a request that was not refused for its redirect_uri", async (lab) => {
    await afterRefusal(lab, { redirect_uri: `${issuer}/authorized`, response_type: "token" });
    const before = lab.clients.get("demo-spa").redirectUris;
    const { status } = await (await openTab(lab)).post("/lab/register-redirect-uri", {
      request: "1",
      uri: "http://localhost:3000/callback",
    });
    assertEquals([status, lab.clients.get("demo-spa").redirectUris], [400, before]);
  });

  it.inLab("U6: registers no redirect_uri of a client by the URL of its metadata", async (lab) => {
    const client_id = "https://app.example/client.json";
    const html = await afterRefusal(lab, { client_id });
    assertNotMatch(html, /id="register-uri"/);
  });
});

describe("The button that adds an unknown client", () => {
  const client_id = "my-app";

  /** Signs in to the application that was unknown, and returns how its token request ended. */
  async function signIn(lab: Lab, changes: Fields, credentials: Fields): Promise<number> {
    const code = await flowCode(lab, { redirect_uri, client_id, ...changes });
    const { status } = await testClient({ client_id, redirect_uri }).redeem(lab, code, credentials);
    return status;
  }

  it.inLab("adds it with the redirect_uri of its request, from the page that its error page links to", async (lab) => {
    const tab = await openTab(lab);
    const html = await (await refusedIn(lab, tab, { client_id })).text();
    assertNotMatch(html, /<(form|button)/);
    const [, link = ""] = /<a id="flow"[^>]* href="([^"]+)"/.exec(html) ?? [];
    const page = await tab.html(link);
    assertMatch(textOf(page), /Add the client my-app/);
    assertMatch(textOf(await tab.html("/")), /was refused my-app.* Add the client my-app/);
    const done = textOf(await press(tab, page));
    assertMatch(done, /The client my-app is added Sign in at your application again: my-app may/);
    assertEquals(lab.clients.get("my-app").redirectUris, [redirect_uri]);
    assertEquals((await refusedIn(lab, tab, { client_id })).status, 303);
    const next = textOf(await tab.html("/lab/flows/flow-2"));
    assertMatch(next, /The client my-app was added by hand after a refusal\./);
    await lab.reset();
    assertEquals(lab.clients.list().some(({ id }) => id === "my-app"), false);
  });

  const nonce = {
    code_challenge: undefined,
    code_challenge_method: undefined,
    nonce: "a-nonce-of-16-chars",
  };
  for (
    const [what, changes, credentials] of [
      ["PKCE and a secret", {}, {}],
      ["a nonce in place of PKCE", { ...nonce, scope: "openid" }, { code_verifier: undefined }],
    ] as const
  ) {
    it.inLab(`takes the first secret of a client with ${what}, and no other after it`, async (lab) => {
      const tab = await openTab(lab);
      await refusedIn(lab, tab, { client_id, ...changes });
      await press(tab, await tab.html("/lab/flows/flow-1"));
      const send = (client_secret: string) =>
        signIn(lab, changes, { client_secret, ...credentials });
      assertEquals(await send("of-my-application"), 200);
      assertEquals(await send("another"), 401);
      assertEquals(await send("of-my-application"), 200);
    });
  }

  it.inLab("leaves a client public that sends no secret", async (lab) => {
    const tab = await openTab(lab);
    await refusedIn(lab, tab, { client_id });
    await press(tab, await tab.html("/lab/flows/flow-1"));
    assertEquals(await signIn(lab, {}, {}), 200);
    assertEquals(lab.clients.get("my-app").secret, undefined);
  });
});

describe("The same button", () => {
  it.inLab("is one link from the page that refuses the request, which has no form", async (lab) => {
    const tab = await openTab(lab);
    const refused = await refusedIn(lab, tab);
    assertEquals(refused.headers.get("Set-Cookie"), null);
    const html = await refused.text();
    assertNotMatch(html, /<(form|button)/);
    const [, link = ""] = /<a id="flow"[^>]* href="([^"]+)"/.exec(html) ?? [];
    const done = textOf(await press(tab, await tab.html(link)));
    assertMatch(done, /The redirect_uri is registered Sign in at your application again: demo-spa/);
    assertEquals((await refusedIn(lab, tab)).status, 303);
  });

  it.inLab("takes no form without the token of its page, nor of another origin", async (lab) => {
    const tab = await openTab(lab);
    await refusedIn(lab, tab);
    const path = "/lab/register-redirect-uri";
    const foreign = await tab.post(path, { request: "1" }, {
      headers: { Origin: "https://evil.example" },
    });
    const forged = await tab.post(path, { request: "1", form_token: "x" });
    assertEquals([foreign.status, forged.status], [403, 403]);
    assertEquals((await refusedIn(lab, tab)).status, 400);
  });

  it.inLab("registers only what its page shows: a lab that starts again counts from one", async (before) => {
    let current = before;
    const tab = await openTab(before, undefined, (request) => current.fetch(request));
    await refusedIn(before, tab);
    const html = await tab.html("/");
    for (
      const changes of [{ redirect_uri: "https://evil.example/cb" }, { client_id: "demo-web" }]
    ) {
      await using lab = current = openLab({ issuer });
      await lab.fetch(new Request(authorizationUrlIn(lab, { redirect_uri, ...changes })));
      const response = await send(tab, html);
      assertEquals(response.status, 400);
      assertMatch(await response.text(), /The lab no longer knows the refused request\./);
    }
  });

  it.inLab("is on the page of the refused flow, and on that of its request", async (lab) => {
    const tab = await openTab(lab);
    await refusedIn(lab, tab);
    assertMatch(await tab.html("/lab/flows/at-0"), /id="outcome".*id="register-uri"/s);
    const html = await tab.html("/lab/flows/flow-1");
    const done = await press(tab, html);
    assertMatch(textOf(done), /The redirect_uri is registered Sign in at your application again/);
    // The result of the button comes before what it is about.
    assertMatch(done, /class="verdict good" id="fixed".*class="refusal" id="refusal"/s);
    assertNotMatch(done, /id="register-uri"/);
  });

  it.inLab("warns of a redirect URI at another host, wherever it is", async (lab) => {
    const tab = await openTab(lab);
    await refusedIn(lab, tab, { redirect_uri: "https://evil.example/cb" });
    for (const path of ["/", "/lab/flows/flow-1"]) {
      const html = await tab.html(path);
      assertMatch(textOf(html), caution);
      assertMatch(html, /id="register-uri".*class="secondary small"/s);
    }
  });

  it.inLab("is on the page of the client's tenant", async (lab) => {
    const tenant = await lab.tenant({ id: "acme" });
    const tab = await openTab(tenant, undefined, (request) => lab.fetch(request));
    await refusedIn(tenant, tab);
    const html = await tab.html("/t/acme/lab/flows/flow-1");
    assertMatch(html, /action="\/t\/acme\/lab\/register-redirect-uri"/);
  });

  it("is in a drill that it stopped, which then goes on", needs("drill"), async () => {
    const { lab } = await openDrilledLab("careful");
    lab.clients.put({ ...drilledClient(), redirectUris: [`${origin}/other`] });
    const tab = await openTab(lab as never, undefined, (request) => lab.fetch(request));
    const drill = () => lab.drill({ start: `${origin}/` }, ["callback.denied"]);
    await drill().catch(() => {});
    const html = await tab.html("/lab/drill");
    assertMatch(
      textOf(html),
      /redirect_uri\.registered.*The drill stopped, and proves nothing\. Register http:/,
    );
    const done = textOf(await press(tab, html));
    assertMatch(done, /The redirect_uri is registered Drill again: drilled may use/);
    assertEquals((await drill()).refused, ["callback.denied"]);
    await lab.close();
  });
});
