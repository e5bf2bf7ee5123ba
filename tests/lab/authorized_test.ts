import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { SignJWT } from "jose";
import { describe } from "node:test";
import { type ClientConfig, type Config, createServer } from "../../src/server/features.ts";
import { staticPath } from "../../src/server/pages/our_files.ts";
import { textOf, unescape } from "../support/browser.ts";
import { itWith } from "../support/it_with.ts";
import { type Kit, openKit, openLabKit } from "../support/kit.ts";
import { freshUrl } from "../support/login.ts";
import { runCurl } from "./run_curl.ts";

const it = itWith({ withKit: () => openLabKit() });

async function show(query: string, kit: Kit = openLabKit()) {
  const response = await kit.get(`/authorized${query}`);
  const html = await response.text();
  return { status: response.status, html, text: textOf(html) };
}

/** What a code block of a page says. */
function blockOf(html: string, id: string): string {
  return unescape(new RegExp(`id="${id}"[^>]*>([\\s\\S]*?)</code>`).exec(html)?.[1] ?? "");
}

/** Walks through a flow as one that was started on the home page. */
async function startedFlow(kit: Kit, client = "demo-spa") {
  const browser = kit.browser();
  const callback = await browser.authorize(`${kit.issuer}/start?client_id=${client}`);
  const show = async (url = callback) => await (await browser.request(url)).text();
  return { browser, callback, show };
}

describe("The failure view of /authorized", () => {
  it("shows the error, and links to the home page", async () => {
    const { status, html, text } = await show(
      "?error=access_denied&error_description=The%20user%20said%20no",
    );
    assertEquals(status, 200);
    assertMatch(text, /Authorization Failed/);
    assertMatch(text, /access_denied/);
    assertMatch(text, /The user said no/);
    assertNotMatch(html, /aria-current="page"/);
    assertMatch(html, /<a id="home" href="\/">Back to Home<\/a>/);
  });

  it("omits the description if there is none", async () => {
    assertNotMatch((await show("?error=access_denied")).text, /Description/);
  });

  it.withKit("says why the lab refused the request, and leads to its flow", async (kit) => {
    const request = `response_type=code&client_id=demo-spa&redirect_uri=${kit.issuer}/authorized`;
    const response = await kit.get(`/oauth2/authorize?${request}&state=s`);
    const { search } = new URL(response.headers.get("Location") ?? "");
    const { html, text } = await show(search, kit);
    assertMatch(text, /What to do.*Create a code_verifier for each request/);
    assertMatch(html, /<a id="flow"[^>]* href="\/lab\/flows\/flow-1\?exchange=1"/);
    assertNotMatch((await show(`${search}&state=t`, kit)).text, /What to do/);
  });

  for (const query of ["", "&jarm=on"]) {
    it.withKit(`leads to the flow in which the user denied it${query}`, async (kit) => {
      const start = `${kit.issuer}/start?client_id=demo-spa${query}`;
      const browser = kit.browser();
      const response = await browser.request(await browser.authorize(start, { decision: "deny" }));
      const html = await response.text();
      assertMatch(textOf(html), /access_denied.*What to do.* Handle the denial/);
      assertMatch(html, /<a id="flow"[^>]* href="\/lab\/flows\/flow-1\?exchange=\d+"/);
    });
  }

  const faulty: Array<[query: string, says: RegExp]> = [
    ["?state=a", /invalid_request.*neither a code nor an error/],
    ["?code=a&error=b", /invalid_request.*both a code and an error/],
    ["?code=a&code=b", /invalid_request.*'code' was sent more than once/],
    ["?error=a&error=b", /invalid_request.*'error' was sent more than once/],
  ];
  for (const [query, says] of faulty) {
    it(`appears for '${query}'`, async () => {
      const { status, text } = await show(query);
      assertEquals(status, 200);
      assertMatch(text, /Authorization Failed/);
      assertMatch(text, says);
    });
  }
});

describe("A code that the lab did not issue", () => {
  const unknown = /This lab didn't issue this code/;

  it.withKit("is no revoked one if someone made it up", async (kit) => {
    const { text } = await show("?code=4Xc0deThatSomeoneMadeUp", kit);
    assertMatch(text, unknown);
    assertNotMatch(text, /revoked\./);
  });

  it.withKit("is no active one if a tenant issued it", async (kit) => {
    const tenant = await kit.lab.tenant({ id: "acme" });
    const callback = await tenant.authorize(freshUrl(tenant), { user: "alice" });
    const { text } = await show(`?code=${callback.code}`, kit);
    assertMatch(text, unknown);
    assertNotMatch(text, /Expires in/);
  });
});

describe("/authorized without a response", () => {
  for (const [where, open] of [["a lab", openLabKit], ["a server", openKit]] as const) {
    it(`says in ${where} that none came, not that it failed, and leads to Home`, async () => {
      const { status, html, text } = await show("", open());
      assertEquals(status, 200);
      assertMatch(text, /No Authorization Response.*the URL has neither a code nor an error\./);
      assertMatch(html, /<a id="home" href="\/">Back to Home<\/a>/);
      assertNotMatch(text, /Failed|invalid_request/);
    });
  }
});

describe("The success view of /authorized", () => {
  it("shows the code, the state, the steps, the examples, the notes and the links", async () => {
    const { status, html, text } = await show("?code=the-code&state=the-state&iss=x");
    assertEquals(status, 200);
    const parts = [
      ...["Authorization Successful!", "the-code", "the-state", "Next steps"],
      ...["Copy the authorization code", "PKCE code verifier", "Back to Home", "once"],
      ...["https://hallpass.test/oauth2/token", "typically within 5 to 10 minutes"],
      ...["must be identical", "mandatory for public clients", "Start New Authorization"],
    ];
    assertEquals(parts.filter((part) => !text.includes(part)), []);
    assertEquals(html.match(/<ol class="steps">[\s\S]*?<\/ol>/)?.[0].match(/<li>/g)?.length, 3);
  });

  it("omits the state if there is none", async () => {
    assertNotMatch((await show("?code=a")).html, /id="state"/);
  });

  it("prints a request for each kind of client, with its own address and quoted placeholders", async () => {
    const { html } = await show("?code=the-code");
    assertEquals(
      blockOf(html, "public-example"),
      `curl -X POST 'https://hallpass.test/oauth2/token' \\
  -H 'Content-Type: application/x-www-form-urlencoded' \\
  -d 'grant_type=authorization_code' \\
  -d 'code=the-code' \\
  -d 'redirect_uri=https://hallpass.test/authorized' \\
  -d 'code_verifier=<CODE_VERIFIER>' \\
  -d 'client_id=<CLIENT_ID>'`,
    );
    assertEquals(
      blockOf(html, "confidential-example"),
      `curl -X POST 'https://hallpass.test/oauth2/token' \\
  -u '<CLIENT_ID>:<CLIENT_SECRET>' \\
  -H 'Content-Type: application/x-www-form-urlencoded' \\
  -d 'grant_type=authorization_code' \\
  -d 'code=the-code' \\
  -d 'redirect_uri=https://hallpass.test/authorized' \\
  -d 'code_verifier=<CODE_VERIFIER>'`,
    );
  });

  const hostile = [
    "<script>alert(1)</script>",
    "'; rm -rf / #",
    "$(id)",
    "`id`",
    "a\nb",
    "\u001b[201~x",
    '"><img src=x>',
    "a' -K /etc/passwd '",
    "\u202e",
    "&amp;",
    "\ud83c",
  ];
  for (const value of hostile) {
    it(`A39 treats ${JSON.stringify(value)} as text, on the page and in the shell`, async () => {
      const { html } = await show(`?${new URLSearchParams({ code: value, state: value })}`);
      assertNotMatch(html, /<script>alert|<img src=x/);
      const command = blockOf(html, "public-example");
      const line = command.split("\n").find((each) => each.includes("'code="))!;
      assertMatch(line, /^ {2}-d 'code=[A-Za-z0-9\-._~:/%]+' \\$/);
      assertEquals(command.split("\n").length, 7);
    });
  }

  it("rejects a query that cannot be decoded", async () => {
    assertEquals((await show("?code=%zz")).status, 400);
  });

  it("cannot be framed, sends no referrer to others, and is not cached", async () => {
    const { headers } = await openLabKit().get("/authorized?code=a");
    const names = ["Referrer-Policy", "Cache-Control", "X-Frame-Options"];
    assertEquals(names.map((name) => headers.get(name)), ["same-origin", "no-store", "DENY"]);
  });
});

describe("A flow that the home page started", () => {
  it.withKit("ends with the verifier on the page, also after a reload", async (kit) => {
    const { show } = await startedFlow(kit);
    const html = await show();
    assertMatch(blockOf(html, "code-verifier"), /^[\w-]{43}$/);
    assertEquals(await show(), html);
  });

  for (const client of ["demo-spa", "demo-web"]) {
    it.withKit(`prints a complete request of ${client}`, async (kit) => {
      const { show } = await startedFlow(kit, client);
      const command = blockOf(
        await show(),
        client === "demo-spa" ? "public-example" : "confidential-example",
      );
      assertNotMatch(command, /<[A-Z_]+>/);
      assertEquals((await runCurl(kit.server.fetch, command)).status, 200);
    });
  }

  for (const [client, other] of [["demo-spa", "confidential"], ["demo-web", "public"]] as const) {
    it(`folds the request that does not fit ${client}`, async () => {
      const { show } = await startedFlow(openLabKit(), client);
      const [folded = ""] = /<details><summary>.*?<\/details>/s.exec(
        (await show()).split("Next steps")[1] ?? "",
      ) ?? [];
      assertMatch(folded, new RegExp(`<code id="${other}-example"`));
      assertEquals(folded.match(/-example"/g)?.length, 1);
    });
  }

  it("shows what became of the code below it", async () => {
    const { show } = await startedFlow(openLabKit());
    const shown = await show();
    assertMatch(shown, /<code id="code"[^>]*>[^<]+<\/code><p id="code-state"[^>]*>.*active/s);
  });

  it.withKit("asks for openid, profile and read, with state, nonce and S256", async (kit) => {
    const response = await kit.get("/start?client_id=demo-spa");
    const query = new URL(response.headers.get("Location")!).searchParams;
    const names = ["scope", "code_challenge_method", "redirect_uri"];
    const expected = ["openid profile read", "S256", `${kit.issuer}/authorized`];
    assertEquals(names.map((name) => query.get(name)), expected);
    for (const name of ["state", "nonce", "code_challenge"]) {
      assertMatch(query.get(name)!, /^[\w-]{43}$/);
    }
  });

  it("CVE-2026-34511: shows its verifier to no other browser, and never in a URL", async () => {
    const kit = openLabKit();
    const { callback, show } = await startedFlow(kit);
    const verifier = blockOf(await show(), "code-verifier");
    const elsewhere = await (await kit.browser().request(callback)).text();
    assert(!elsewhere.includes(verifier) && !callback.includes(verifier));
    assertMatch(elsewhere, /&lt;CODE_VERIFIER>|&lt;CODE_VERIFIER&gt;/);
  });

  it("shows no verifier for a different state", async () => {
    const { callback, show } = await startedFlow(openLabKit());
    assertMatch(
      blockOf(await show(callback.replace(/state=[\w-]+/, "state=other")), "public-example"),
      /<CODE_VERIFIER>/,
    );
  });

  for (const iss of ["", "iss=https%3A%2F%2Fevil.example"]) {
    it(`fails when the response comes with '${iss}' in place of our iss`, async () => {
      const { callback, show } = await startedFlow(openLabKit());
      const shown = textOf(await show(callback.replace(/iss=[^&]+/, iss)));
      assertMatch(shown, /Authorization Failed.*must name the issuer/);
    });
  }

  it("tells of no exchange where there is no token endpoint", async () => {
    const { show } = await startedFlow(openLabKit({ dialect: { missingEndpoints: ["token"] } }));
    assertNotMatch(await show(), /href="#exchange"|Next steps|curl/);
  });

  it("fails when its client, and not the lab, has signed the response", async () => {
    const secret = "a-secret-of-32-characters-at-least";
    const issuer = "http://localhost:9000";
    const redirectUris = [`${issuer}/authorized`];
    const client = { id: "hmac", secret, idTokenAlg: "HS256", redirectUris } as const;
    const kit = openLabKit({ issuer, clients: [client] });
    const { callback, show } = await startedFlow(kit, client.id);
    const [key] = await kit.server.context.keys.published();
    const state = new URL(callback).searchParams.get("state");
    const exp = Math.floor(kit.clock.now / 1000) + 300;
    const response = await new SignJWT({ iss: issuer, aud: client.id, exp, state, code: "forged" })
      .setProtectedHeader({ alg: "HS256", kid: String(key?.kid) })
      .sign(new TextEncoder().encode(secret));
    assertMatch(await show(`${issuer}/authorized?response=${response}`), /Authorization Failed/);
  });

  it("links to a new flow", async () => {
    const { show } = await startedFlow(openLabKit(), "demo-web");
    assertMatch(
      await show(),
      /<a id="start-again" class="button" href="\/start\?client_id=demo-web">Start New Authorization<\/a>/,
    );
  });

  it("can be started for demo-cli if the lab is on loopback", async () => {
    const kit = openLabKit({ issuer: "http://localhost:9000" });
    const { callback, show } = await startedFlow(kit, "demo-cli");
    assert(callback.startsWith("http://localhost:9000/callback?code="));
    assertMatch(await show(), /Authorization Successful!/);
  });

  for (const client of ["nobody", "demo-service", ""]) {
    it(`cannot be started for '${client}', and names the clients for which it can`, async () => {
      const response = await openLabKit().get(`/start?client_id=${client}`);
      assertEquals(response.status, 400);
      assertMatch(textOf(await response.text()), /demo-spa, demo-web/);
    });
  }
});

describe("The start of a flow of an unknown client", () => {
  const clients = [{ id: "web", secret: "s".repeat(32), redirectUris: ["https://app.example/cb"] }];

  it("E1: names clients whose redirect URIs lead elsewhere", async () => {
    const { text, html } = await start(openLabKit({ clients }));
    assertMatch(text, /Add the client_id of one of these clients: web\./);
    assertMatch(html, /<a class="button secondary" href="\/start\?client_id=web">web</);
  });

  it("E1: says what a client needs where none can be started", async () => {
    const service = { id: "service", secret: "s".repeat(32) };
    const { status, text } = await start(openLabKit({ clients: [service] }));
    assertEquals(status, 400);
    assertMatch(text, /No client can start here: this lab has none with the grant/);
    assertNotMatch(text, /one of these clients/);
  });

  async function start(kit: Kit) {
    const response = await kit.get("/start?client_id=unknown");
    const html = await response.text();
    return { status: response.status, html, text: textOf(html) };
  }
});

describe("A server that is not a lab", () => {
  const issuer = "https://id.example";

  /** A page of a server with one client. */
  async function page(
    path: string,
    client: Partial<ClientConfig> = {},
    config: Partial<Config> = {},
  ) {
    const clients = [{ id: "web", redirectUris: ["https://app.example/cb"], ...client }];
    const server = createServer({
      issuer,
      users: [{ name: "alice", password: "x" }],
      clients,
      ...config,
    });
    const response = await server.fetch(new Request(`${issuer}${path}`));
    return { status: response.status, html: await response.text() };
  }

  it("has a callback page that links home, starts a flow there alone and shows no users", async () => {
    const { html } = await page("/authorized?code=a", { redirectUris: [`${issuer}/authorized`] });
    assertMatch(html, /<a id="home" href="\/">/);
    assertMatch(html, /id="start-again"[^>]* href="\/authorized\/start\?client_id=web"/);
    assertEquals((await page("/start?client_id=web")).status, 404);
    assertNotMatch((await page("/")).html, /alice|client_id|id="notice"/);
  });

  it("L5: has no callback page, and no link to one, unless it is the redirect URI of a configured client", async () => {
    const query = "?error=a&error_description=Call%20this%20number";
    const { status, html } = await page(`/authorized${query}`);
    assertEquals([status, html.includes("Call this number")], [404, false]);
    assertEquals(
      (await page(`/authorized${query}`, { redirectUris: ["https://id.example/authorized/"] }))
        .status,
      404,
    );
    assertEquals((await page("/")).html.includes("/authorized"), false);
  });

  it("L5: has a callback page for the address of its front channel as well", async () => {
    const client = { redirectUris: ["https://login.example/authorized"] };
    assertEquals(
      (await page("/authorized?code=a", client, { frontChannelUrl: "https://login.example" }))
        .status,
      200,
    );
    assertEquals((await page("/authorized?code=a", client)).status, 404);
  });

  it("lives entirely below the path of its issuer", async () => {
    const kit = openKit({ issuer: "https://hallpass.test/tenant" });
    const response = await kit.get("/");
    assertMatch(await response.text(), /href="\/tenant\/static\/style\.\w+\.css"/);
    assertEquals(
      (await kit.get("/static/style.css")).headers.get("Location"),
      staticPath("/tenant", "style.css"),
    );
    const callback = await kit.browser().authorize(kit.authorizationUrl());
    assertMatch(callback, /^https:\/\/hallpass.test\/tenant\/authorized\?code=/);
  });
});
