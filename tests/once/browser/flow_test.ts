import { assert, assertEquals, assertMatch } from "@std/assert";
import { execFile } from "node:child_process";
import { describe } from "node:test";
import { promisify } from "node:util";
import { chromium } from "../../support/chromium.ts";
import { type Handler, inBrowser, inBrowserWith, listening } from "../../support/in_browser.ts";
import { itWith } from "../../support/it_with.ts";
import { type Fields, testClient } from "../../support/test_client.ts";

const skip = chromium ? false : "this machine has no Chromium";

function page(body: string): Response {
  return new Response(`<!doctype html><title>client</title>${body}`, {
    headers: { "Content-Type": "text/html" },
  });
}

const it = itWith({ inBrowser: inBrowserWith() });

const authorizationUrl = (issuer: string, redirect_uri: string, changes: Fields = {}) =>
  testClient({ redirect_uri }).authorizationUrl({ issuer }, changes);

describe("In Chromium, a newcomer", () => {
  const examples = { "demo-spa": "public-example", "demo-web": "confidential-example" };
  for (const [client, example] of Object.entries(examples)) {
    it.inBrowser(
      `clicks from the home page to a curl that returns tokens, as ${client}`,
      async (tab, issuer) => {
        await tab.goto(`${issuer}/`);
        await tab.type("#client_id", client);
        await tab.click("#start-flow");
        await tab.type("#username", "alice");
        await tab.type("#password", "alice");
        await tab.click("#sign-in-button");
        await tab.click("#allow");
        assertEquals(await tab.text("h1"), "Authorization Successful!");
        const command = await tab.text(`#${example}`);
        const { stdout } = await promisify(execFile)("sh", ["-c", `${command} --silent`]);
        const { access_token, refresh_token, id_token } = JSON.parse(stdout);
        assert(access_token && refresh_token && id_token, stdout);
        assertEquals(tab.complaints, []);
      },
    );
  }

  it.inBrowser("signs in with one click, and out again", async (tab, issuer) => {
    await tab.goto(`${issuer}/start?client_id=demo-spa`);
    await tab.click("#one-click-bob");
    await tab.click("#deny");
    assertMatch(await tab.text("main"), /access_denied/);
    await tab.click("#home");
    assertMatch(await tab.text("#sign-out"), /Signed in as.*Bob Baker/s);
    await tab.click("#sign-out button");
    assertEquals(await tab.evaluate("document.querySelector('#sign-out')"), null);
  });
});

describe("In Chromium, a client on another origin", () => {
  it(
    "gets its code after the form post, and may redirect on to a third origin",
    { skip },
    async () => {
      await listening(async () => page("<h1>the end</h1>"), async (third) => {
        const onward = third.replace("localhost", "127.0.0.1");
        await listening(
          async (request) => Response.redirect(`${onward}/end${new URL(request.url).search}`, 302),
          async (client) => {
            const redirectUri = `${client}/cb`;
            await inBrowser({ redirectUris: [redirectUri] }, async (tab, issuer) => {
              await tab.goto(authorizationUrl(issuer, redirectUri));
              await tab.type("#username", "alice");
              await tab.type("#password", "alice");
              await tab.click("#sign-in-button");
              await tab.click("#allow");
              await tab.arrive(`${onward}/end?code=`);
              assertEquals(
                tab.complaints.filter((text) => /Content Security Policy/.test(text)),
                [],
              );
            });
          },
        );
      });
    },
  );

  it("gets its code by form_post", { skip }, async () => {
    const client: Handler = async (request) =>
      page(`<pre id="body">${request.method} ${(await request.text()).replace(/</g, "")}</pre>`);
    await listening(client, async (origin) => {
      const redirectUri = `${origin}/cb`;
      await inBrowser({ redirectUris: [redirectUri] }, async (tab, issuer) => {
        await tab.goto(authorizationUrl(issuer, redirectUri, { response_mode: "form_post" }));
        await tab.click("#one-click-alice");
        await tab.click("#allow");
        await tab.arrive(redirectUri);
        assertMatch(await tab.text("#body"), /^POST code=[\w-]{43}&state=a-state&iss=/);
      });
    });
  });

  it("U10: the page of form_post loads before it is left", { skip }, async () => {
    const noteLoad =
      'addEventListener("load", () => { if (document.forms["form-post"]) name = "loaded"; })';
    await listening(async () => page("<h1>callback</h1>"), async (origin) => {
      const redirectUri = `${origin}/cb`;
      const config = { redirectUris: [redirectUri], signIn: "alice" };
      await inBrowser(config, async (tab, issuer) => {
        await tab.send("Page.addScriptToEvaluateOnNewDocument", { source: noteLoad });
        await tab.goto(authorizationUrl(issuer, redirectUri, { response_mode: "form_post" }));
        await tab.arrive(redirectUri);
        assertEquals(await tab.evaluate("name"), "loaded");
      });
    });
  });

  it("may ask by POST, and whoever is signed in stays signed in", { skip }, async () => {
    const form = (url: URL) =>
      [...url.searchParams].map(([name, value]) =>
        `<input type="hidden" name="${name}" value="${value}">`
      ).join("");
    const client: Handler = async (request) => {
      const target = new URL(request.url).searchParams.get("to");
      return target
        ? page(
          `<form method="post" action="${target.split("?")[0]}">${
            form(new URL(target))
          }<button>go</button></form>`,
        )
        : page("<h1>callback</h1>");
    };
    await listening(client, async (origin) => {
      const redirectUri = `${origin}/cb`;
      await inBrowser({ redirectUris: [redirectUri] }, async (tab, issuer) => {
        const url = authorizationUrl(issuer, redirectUri);
        await tab.goto(url);
        await tab.click("#one-click-alice");
        await tab.click("#allow");
        await tab.arrive(`${redirectUri}?code=`);
        await tab.goto(
          `${origin.replace("localhost", "127.0.0.1")}/?to=${encodeURIComponent(url)}`,
        );
        await tab.click("button");
        await tab.arrive(`${redirectUri}?code=`);
        assert((await tab.url()).includes("state=a-state"));
      });
    });
  });
});
