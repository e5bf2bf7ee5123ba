import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import type { ClientConfig, Config } from "../../../src/server/features.ts";
import { clientEndpoints } from "../../features.ts";
import { type Browser, textOf, unescape } from "../../support/browser.ts";
import { makeClientKey } from "../../support/client_key.ts";
import { challenge, type Kit, openStrictKit } from "../../support/kit.ts";
import { watchedStore } from "../../support/stores.ts";

const page = "https://hallpass.test/authorized";
const secret = "a-secret-of-at-least-32-characters";

const clients: ClientConfig[] = [
  { id: "elsewhere", redirectUris: ["https://app.example/cb"] },
  { id: "service", secret, grantTypes: ["client_credentials"], redirectUris: [page] },
  ...clientEndpoints.includes("par")
    ? [{ id: "pushing", redirectUris: [page], requirePar: true }]
    : [],
  { id: "by-post", redirectUris: [page], responseModes: ["form_post"] },
  { id: "spa", redirectUris: ["https://app.example/cb", page] },
  { id: "web", secret, redirectUris: [page] },
];

const open = (config: Partial<Config> = {}): Kit => openStrictKit({ clients, ...config });

/** What a code block of a page says. */
function blockOf(html: string, id: string): string {
  return unescape(new RegExp(`id="${id}"[^>]*>([\\s\\S]*?)</code>`).exec(html)?.[1] ?? "");
}

function startLink(html: string): string | undefined {
  const [, link] = /<a id="start-again" class="button" href="([^"]*)">Start New A/.exec(html) ?? [];
  return link && unescape(link);
}

/** Walks through a flow that the page started, up to the callback. */
async function startedFlow(kit: Kit, client: string, decision: "allow" | "deny" = "allow") {
  const browser = kit.browser();
  const start = `${page}/start?client_id=${client}`;
  const callback = await browser.authorize(start, { decision });
  return { browser, callback };
}

async function show(browser: Browser, url: string): Promise<string> {
  return await (await browser.request(url)).text();
}

describe("The page at /authorized of a server", () => {
  for (const query of ["code=a&state=b", "error=access_denied"]) {
    it(`E9: leads to a new authorization and back home: ${query}`, async () => {
      const kit = open();
      const html = await (await kit.get(`/authorized?${query}`)).text();
      assertEquals(startLink(html), "/authorized/start?client_id=spa");
      const [, home = ""] = /<a id="home" href="([^"]*)">Back to Home/.exec(html) ?? [];
      assertEquals((await kit.get(home)).status, 200);
    });
  }

  it("E9: starts no authorization where no client can", async () => {
    const kit = open({ clients: clients.filter(({ id }) => id !== "spa" && id !== "web") });
    const html = await (await kit.get("/authorized?code=a")).text();
    assertEquals(startLink(html), undefined);
    assertEquals((await kit.get("/authorized/start")).status, 400);
  });

  it("E9: starts nothing on a server without the page", async () => {
    const kit = open({ clients: clients.slice(0, 1) });
    assertEquals((await kit.get("/authorized/start")).status, 404);
  });

  it("E9: starts the client of a flow that began elsewhere, too", async () => {
    const kit = open();
    const browser = kit.browser();
    const url = kit.authorizationUrl({ client_id: "web", redirect_uri: page, scope: "openid" });
    const html = await show(browser, await browser.authorize(url));
    assertEquals(startLink(html), "/authorized/start?client_id=web");
    assertEquals(blockOf(html, "code-verifier"), "");
  });
});

describe("A flow that the page at /authorized started", () => {
  it("E9: asks for openid with state, nonce and S256, for the page as redirect URI", async () => {
    const response = await open().get("/authorized/start");
    const { searchParams, origin, pathname } = new URL(response.headers.get("Location") ?? "");
    assertEquals([response.status, origin + pathname], [
      303,
      "https://hallpass.test/oauth2/authorize",
    ]);
    const { state = "", nonce = "", code_challenge = "", ...others } = Object.fromEntries(
      searchParams,
    );
    for (const random of [state, nonce, code_challenge]) assertMatch(random, /^[\w-]{43}$/);
    assertEquals(others, {
      response_type: "code",
      client_id: "spa",
      redirect_uri: page,
      scope: "openid profile",
      code_challenge_method: "S256",
    });
  });

  it("E9: keeps state and verifier in this browser alone, and stores nothing", async () => {
    const store = watchedStore();
    const kit = open({ store });
    await kit.server.ready();
    const before = store.writes.length;
    const response = await kit.get("/authorized/start");
    assertEquals(store.writes.slice(before), []);
    const cookies = response.headers.getSetCookie();
    assertEquals(cookies.length, 1);
    assertMatch(
      cookies[0] ?? "",
      /^__Host-hallpass-\w+-flow=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=3600$/,
    );
  });

  it("E9: ends with code, state, verifier and a complete token request", async () => {
    const kit = open();
    const { browser, callback } = await startedFlow(kit, "spa");
    const html = await show(browser, callback);
    const { searchParams } = new URL(callback);
    assertEquals([blockOf(html, "code"), blockOf(html, "state")], [
      searchParams.get("code"),
      searchParams.get("state"),
    ]);
    const command = blockOf(html, "public-example");
    assertNotMatch(command, /<[A-Z_]+>/);
    assertMatch(textOf(html), /This flow was started here for spa ?, so its example is complete/);
    const fields = [...command.matchAll(/-d '([^']*)'/g)].map(([, member]) => member).join("&");
    const { status } = await kit.token(Object.fromEntries(new URLSearchParams(fields)));
    assertEquals(status, 200);
  });

  it("E9: shows the verifier once, and in no other browser", async () => {
    const kit = open();
    const { browser, callback } = await startedFlow(kit, "spa");
    const others = [
      await show(kit.browser(), callback),
      await show(browser, callback.replace(/state=[\w-]+/, "state=another")),
    ];
    const first = await show(browser, callback);
    assertMatch(textOf(first), /The verifier is shown once: copy it before you leave this page\./);
    const verifier = blockOf(first, "code-verifier");
    assertMatch(verifier, /^[\w-]{43}$/);
    others.push(await show(browser, callback));
    for (const html of others) assertEquals(blockOf(html, "code-verifier"), "");
    assertEquals([...browser.cookies.keys()].filter((name) => name.endsWith("-flow")), []);
    assert(!callback.includes(verifier));
  });

  it("E9: never shows the secret of a client", async () => {
    const kit = open();
    const { browser, callback } = await startedFlow(kit, "web");
    const html = await show(browser, callback);
    assert(!html.includes(secret));
    assertMatch(blockOf(html, "confidential-example"), /-u 'web:<CLIENT_SECRET>'/);
    assertMatch(blockOf(html, "public-example"), /client_id=<CLIENT_ID>/);
    assert(html.indexOf("confidential-example") < html.indexOf("public-example"));
    assertMatch(textOf(html), /here for web ?\. In its example, replace what is in angle br/);
  });

  it("E9: is followed by one of the same client, also after a denial", async () => {
    for (const decision of ["allow", "deny"] as const) {
      const { browser, callback } = await startedFlow(open(), "web", decision);
      assertEquals(
        startLink(await show(browser, callback)),
        "/authorized/start?client_id=web",
        decision,
      );
    }
  });

  for (const iss of ["", "iss=https%3A%2F%2Fevil.example"]) {
    it(`E9: fails when the response comes with '${iss}' in place of our iss`, async () => {
      const { browser, callback } = await startedFlow(open(), "spa");
      const html = await show(browser, callback.replace(/iss=[^&]+/, iss));
      assertMatch(textOf(html), /Authorization Failed.*must name the issuer/);
    });
  }

  for (const client of ["unknown", "elsewhere", "service", "pushing", "by-post", "constructor"]) {
    it(`E9: cannot be one of the client '${client}'`, async () => {
      const response = await open().get(`/authorized/start?client_id=${client}`);
      assertEquals([response.status, response.headers.getSetCookie()], [400, []]);
    });
  }

  it("E9: is not one of a client that is asked to sign its requests", async () => {
    const jwks = { keys: [(await makeClientKey()).publicJwk] };
    const signing = { id: "signing", jwks, redirectUris: [page], requireSignedRequest: true };
    const response = await open({ clients: [signing] }).get("/authorized/start");
    assertEquals(response.status, 400);
  });

  const values = ["x", "a.b.c", `${challenge}.${challenge}.unknown`, `${challenge}.%.%`, "..", "."];
  for (const value of values) {
    it(`E9: is nothing that another cookie claims: ${value}`, async () => {
      const kit = open();
      const [set = ""] = (await kit.get("/authorized/start")).headers.getSetCookie();
      const Cookie = `${set.split("=")[0]}=${value}`;
      const response = await kit.get(`/authorized?code=a&state=${challenge}`, { Cookie });
      assertEquals([response.status, blockOf(await response.text(), "code-verifier")], [200, ""]);
    });
  }
});
