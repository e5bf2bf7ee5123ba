import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";
import { execFile } from "node:child_process";
import { describe } from "node:test";
import { startFlow } from "../../src/lab/client_role/start_flow.ts";
import type { LabConfig } from "../../src/lab/lab_config.ts";
import { serve } from "../../src/runtime/serve.ts";
import { createServer } from "../../src/server/features.ts";
import { type Browser, type Page, textOf, unescape } from "../support/browser.ts";
import { itWith } from "../support/it_with.ts";
import { openLabKit } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { needs } from "../support/where_feature.ts";
import { jwtHeader } from "../support/wire.ts";

const it = itWith({
  afterArrival: () => arrive(),
  withKit: () => openLabKit({ issuer }),
  afterArrivalWithReport: { ...needs("report"), open: () => arrive() },
  afterArrivalWithIntrospection: { ...needs("introspection"), open: () => arrive() },
  withIntrospection: needs("introspection"),
});

const issuer = "http://localhost:9000";

/** The end of a flow that the lab started, in the browser that it was started in. */
interface FlowEnd {
  kit: ReturnType<typeof openLabKit>;
  browser: Browser;
  callback: string;
  show(): Promise<Page>;
  /** Sends one of the forms below the code, and returns the page that it leads to. */
  send(step: string): Promise<Page>;
}

async function arrive(
  query = "client_id=demo-spa",
  config: Partial<LabConfig> = {},
): Promise<FlowEnd> {
  const kit = openLabKit({ issuer, ...config });
  const browser = kit.browser();
  const callback = await browser.authorize(`${kit.issuer}/start?${query}`);
  const show = () => load(browser, callback);
  return {
    kit,
    browser,
    callback,
    show,
    async send(step) {
      const { url, status } = await browser.submit(await show(), `send-${step}`);
      assertEquals(status, 303, step);
      assert(url.endsWith(`#${step}`), url);
      return await show();
    },
  };
}

async function load(browser: Browser, url: string): Promise<Page> {
  const response = await browser.request(url);
  const { status, headers } = response;
  return { url, status, headers, html: await response.text() };
}

/** Returns a section of the page, by its id. */
function section({ html }: Page, id: string): string {
  const found = new RegExp(`<(section|p)[^>]* id="${id}"[\\s\\S]*?</\\1>`).exec(html);
  return found?.[0] ?? "";
}

/** Returns the command of a follow-up. */
function commandOf(page: Page, step: string): string {
  const [, command] = /class="code"[^>]*><code[^>]*>(curl [\s\S]*?)<\/code>/.exec(
    section(page, step),
  ) ?? [];
  return unescape(present(command));
}

describe("U6: The page after the code was exchanged", () => {
  it.afterArrival("says what was issued and checked, then what comes next, then the ID token", async ({ show, send }) => {
    assertNotMatch((await show()).html, /second-use/);
    const page = await send("exchange");
    const checked = "state, PKCE, signature, issuer, audience, expiry, nonce";
    assert(
      textOf(section(page, "exchange")).includes(
        `Tokens issued: access, ID, refresh Checked ${checked}`,
      ),
    );
    const order =
      /id="send-userinfo".*<details class="token" id="exchange-id_token" open>.*id="exchange-access_token">.*id="send-exchange"/s;
    assertMatch(page.html, order);
    assertMatch(textOf(section(page, "issued")), /The code is spent: a second use is refused/);
  });

  it("claims no check that was not made", async () => {
    const { send } = await arrive("client_id=demo-spa&scope=profile");
    const html = textOf(section(await send("exchange"), "exchange"));
    assertMatch(html, /Tokens issued: access, refresh Checked state, PKCE/);
    assertNotMatch(html, /nonce|signature/);
  });

  it.afterArrival("says what a client has to reject", needs("faults"), async ({ kit, send }) => {
    await kit.lab.faults?.add({ name: "id_token.wrong_nonce" });
    const html = textOf(section(await send("exchange"), "exchange"));
    assertMatch(html, /Checked state, PKCE, signature, issuer, audience, expiry wrong/);
    assertMatch(html, /wrong Not so: The nonce is the one that the client sent\. Received: /);
  });

  it.afterArrivalWithReport("counts nothing that its buttons sent against the client", async ({ kit, send }) => {
    for (const step of ["exchange", "exchange", "exchange", "userinfo"]) await send(step);
    const { findings, refused, clients: [client] } = kit.lab.report();
    assertEquals([findings, refused], [[], []]);
    assertEquals([client?.client, client?.examined], ["demo-spa", true]);
  });

  it.afterArrivalWithIntrospection("keeps the tokens after a second use, and says that they are revoked", async ({ send }) => {
    for (const step of ["exchange", "userinfo", "exchange"]) await send(step);
    const page = await send("introspect");
    assertMatch(
      textOf(section(page, "exchange")),
      /400.*invalid_grant The code was used before.*Received used before, in request \d+/s,
    );
    assertMatch(textOf(section(page, "issued")), /200, before the revocation.*Alice Adler/s);
    assertMatch(
      textOf(section(page, "userinfo")),
      /200, before the revocation.*\d+ claims about alice/s,
    );
    assertMatch(textOf(section(page, "introspect")), /200 .*The access token is not active/s);
  });
});

describe("The code of /authorized in a lab", () => {
  it.afterArrival("counts down, and expires", async ({ kit, show }) => {
    assertMatch(textOf(section(await show(), "code-state")), /active Expires in 5:00/);
    kit.clock.advance(29);
    assertMatch(textOf(section(await show(), "code-state")), /Expires in 4:31/);
    kit.clock.advance(300);
    assertMatch(textOf(section(await show(), "code-state")), /expired It expired at 2026-01-01/);
  });

  it("is spent by the client that redeemed it, and revoked with the second use", async () => {
    const { show, send } = await arrive("client_id=demo-web");
    const page = await send("exchange");
    assertMatch(textOf(section(page, "code-state")), /spent Spent by demo-web/);
    assertNotMatch(page.html, /Next steps/);
    const again = await send("exchange");
    assertMatch(textOf(section(again, "exchange")), /400[\s\S]*invalid_grant/);
    assertMatch(textOf(section(await show(), "userinfo")), /Userinfo/);
  });

  it.afterArrival("leads to the page of its flow", async ({ browser, show }) => {
    const [, path = ""] = /id="flow"[^>]* href="([^"]+)"/.exec((await show()).html) ?? [];
    assertEquals(path, "/lab/flows/flow-1");
    assertEquals((await load(browser, issuer + path)).status, 200);
  });

  it("is unknown if the lab did not issue it", async () => {
    const response = await openLabKit().get("/authorized?code=invented&state=x");
    assertMatch(textOf(await response.text()), /This lab didn't issue this code/);
  });
});

describe("The requests below the code", () => {
  it("follow the tokens, of which the ID token alone is open", needs("introspection"), async () => {
    const { show, send } = await arrive();
    assertMatch((await show()).html, /<a href="#exchange">exchange the code here<\/a>/);
    const page = await send("exchange");
    assertMatch(page.html, /id="userinfo".*id="refresh".*id="introspect".*id="revoke"/s);
    assertNotMatch(section(page, "issued"), /id="exchange-(?!id_token)\w+" open/);
  });

  const clients = [
    "client_id=demo-spa",
    "client_id=demo-web",
    "client_id=demo-spa&dpop=on",
    "client_id=demo-web&par=on&jarm=on",
  ];
  for (const query of clients) {
    it.withIntrospection(`exchange, use, refresh, introspect and revoke: ${query}`, async () => {
      const { send } = await arrive(query);
      const tokens = await send("exchange");
      assertMatch(textOf(section(tokens, "issued")), /Access token \(RFC 9068\).*valid/s);
      assertMatch(textOf(section(await send("userinfo"), "userinfo")), /200.*Alice Adler/s);
      const refreshed = section(await send("refresh"), "refresh");
      assertMatch(textOf(refreshed), /200.*Access token/s);
      assertMatch(textOf(section(await send("introspect"), "introspect")), /"active": true/);
      assertMatch(textOf(section(await send("revoke"), "revoke")), /200/);
      assertMatch(textOf(section(await send("introspect"), "introspect")), /"active": false/);
      assertMatch(textOf(section(await send("userinfo"), "userinfo")), /401/);
    });
  }

  it("work for the key client of fapi-2.0 as well", async () => {
    const { send } = await arrive("client_id=demo-web", { profile: "fapi-2.0" });
    assertMatch(textOf(section(await send("exchange"), "exchange")), /200/);
    assertMatch(textOf(section(await send("userinfo"), "userinfo")), /200/);
    assertMatch(textOf(section(await send("revoke"), "revoke")), /200/);
  });

  it.afterArrival("show what another program did with the code", async ({ kit, show }) => {
    const [, verifier = ""] = /id="code-verifier"[^>]*>([\w-]+)/.exec((await show()).html) ?? [];
    const [, code = ""] = /id="code"[^>]*>([\w-]+)/.exec((await show()).html) ?? [];
    const redirect_uri = `${issuer}/authorized`;
    assertEquals((await kit.redeem(code, { code_verifier: verifier, redirect_uri })).status, 200);
    assertMatch(textOf(section(await show(), "issued")), /Access token/);
  });

  it.withKit("print commands that a shell can run", needs("introspection"), async (kit) => {
    const listening = await serve(kit.lab, { port: 0 });
    try {
      const browser = kit.browser();
      const callback = await browser.authorize(`${issuer}/start?client_id=demo-web`);
      await browser.submit(await load(browser, callback), "send-exchange");
      const page = await load(browser, callback);
      for (const step of ["userinfo", "introspect", "refresh", "revoke"]) {
        const command = commandOf(page, step).replaceAll(
          ":9000/oauth2",
          `:${listening.port}/oauth2`,
        );
        assertEquals(await statusOf(command), "200", command);
      }
    } finally {
      await listening.close();
      await kit.lab.close();
    }
  });

  it("belong to the browser that started the flow", async () => {
    const { kit, callback, show, send } = await arrive();
    await send("exchange");
    const other = await load(kit.browser(), callback);
    assertNotMatch(other.html, /"send-|Exchange it here/);
    assertNotMatch(other.html, jwtHeader);
    const token = /name="form_token" value="([^"]+)"/.exec((await show()).html)?.[1] ?? "";
    const request = new Request(callback.replace("/authorized?", "/authorized/send?"), {
      method: "POST",
      body: new URLSearchParams({ form_token: token, step: "exchange" }),
    });
    assertEquals((await kit.server.fetch(request)).status, 403);
  });

  it("are refused from another origin, and without the token of the form", async () => {
    const { browser, callback, show } = await arrive();
    const [, form_token = ""] = /name="form_token" value="([^"]+)"/.exec((await show()).html) ?? [];
    const url = callback.replace("/authorized?", "/authorized/send?");
    const send = (fields: Record<string, string>, headers = {}) =>
      browser.request(url, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
        body: new URLSearchParams({ step: "exchange", ...fields }),
      });
    assertEquals((await send({ form_token }, { Origin: "https://evil.example" })).status, 403);
    assertEquals((await send({ form_token }, { "Sec-Fetch-Site": "cross-site" })).status, 403);
    assertEquals((await send({})).status, 403);
    assertEquals((await send({ form_token })).status, 303);
  });

  it("are absent in a server that is no lab", async () => {
    const url = "https://id.example";
    const server = createServer({
      issuer: url,
      clients: [{ id: "web", redirectUris: [`${url}/authorized`] }],
    });
    const html = await (await server.fetch(new Request(`${url}/authorized?code=c`))).text();
    assertMatch(html, /Authorization Successful!/);
    assertNotMatch(html, /code-state|Exchange it here|form_token/);
    const post = new Request(`${url}/authorized/send?code=c`, { method: "POST" });
    assertEquals((await server.fetch(post)).status, 404);
    await server.close();
  });

  it("work if the lab's other pages have a port of their own", async () => {
    const { send } = await arrive("client_id=demo-spa", { controlApart: true });
    const page = await send("exchange");
    assertMatch(textOf(section(page, "exchange")), /200/);
    assertNotMatch(page.html, /href="\/lab\/(?!static)|data-live-url/);
  });

  it("follow the lab only if the browser may: not behind its token", async () => {
    const { show } = await arrive("client_id=demo-spa", {
      labToken: "a-token-of-32-characters-long",
    });
    assertNotMatch((await show()).html, /data-live-url/);
  });
});

describe("The page at /authorized of a lab without a token endpoint", () => {
  it("offers nothing to send: nothing follows a code that cannot be exchanged", async () => {
    const { show } = await arrive("client_id=demo-spa", {
      dialect: { missingEndpoints: ["token"] },
    });
    const { html } = await show();
    assertMatch(html, /Authorization Successful!/);
    assertNotMatch(html, /id="send-|id="follow-ups"/);
  });
});

describe("The link that the greeting prints", () => {
  it.withKit("leads to a complete page, in any browser", async (kit) => {
    const { lab } = kit;
    const { url, codeVerifier } = await startFlow(lab, { client: lab.clients.get("demo-spa") });
    const browser = kit.browser();
    const page = await load(browser, await browser.authorize(url));
    assert(page.html.includes(codeVerifier));
    assertEquals((await browser.submit(page, "send-exchange")).status, 303);
    assertMatch(textOf(section(await load(browser, page.url), "exchange")), /200/);
  });
});

describe("A response that came in another way", () => {
  for (const mode of ["form_post", "query.jwt"]) {
    it(`is shown as well: ${mode}`, async () => {
      const [name, signed] = mode.split(".");
      const query = `client_id=demo-spa&response_mode=${name}${signed ? "&jarm=on" : ""}`;
      const kit = openLabKit({ issuer });
      const browser = kit.browser();
      const callback = name === "form_post"
        ? await postedCallback(browser, `${issuer}/start?${query}`)
        : await browser.authorize(`${issuer}/start?${query}`);
      const page = await load(browser, callback);
      assertMatch(textOf(page.html), /Authorization Successful!.*Exchange it here/s);
    });
  }

  it("fails if its signature is wrong, or by a key in its own header", async () => {
    const { browser, callback } = await arrive("client_id=demo-spa&jarm=on");
    const [start, response = ""] = callback.split("response=");
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const header = { alg: "ES256", jwk: await exportJWK(publicKey) };
    const signing = new SignJWT(decodeJwt(response)).setProtectedHeader(header);
    for (const forged of [response.replace(/.{6}$/, "AAAAAA"), await signing.sign(privateKey)]) {
      const page = await load(browser, `${start}response=${forged}`);
      assertMatch(textOf(page.html), /Authorization Failed.*signature/s);
    }
  });

  for (const name of ["jarm.wrong_aud", "jarm.without_aud"] as const) {
    it.withKit(`fails if its audience is not the client: ${name}`, needs("faults"), async (kit) => {
      await kit.lab.faults?.add({ name });
      const browser = kit.browser();
      const callback = await browser.authorize(`${issuer}/start?client_id=demo-spa&jarm=on`);
      const page = await load(browser, callback);
      assertMatch(textOf(page.html), /Authorization Failed.*its audience \('aud'\) is not/s);
    });
  }
});

/** Walks to the page that posts the response, submits it, and returns where that leads. */
async function postedCallback(browser: Browser, url: string): Promise<string> {
  const signIn = await browser.open(url);
  const consent = await browser.submit(signIn, "sign-in", { username: "alice", password: "alice" });
  const page = await browser.submit(consent, "consent", { decision: "allow" });
  const { url: location } = await browser.submit(page, "form-post");
  return new URL(location, issuer).href;
}

async function statusOf(command: string): Promise<string> {
  const quiet = `${command} --silent --output /dev/null --write-out '%{http_code}'`;
  return await new Promise((resolve, reject) => {
    execFile("sh", ["-c", quiet], (error, stdout) => error ? reject(error) : resolve(stdout));
  });
}
