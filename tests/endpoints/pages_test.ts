import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import { everyPage } from "../support/every_page.ts";
import { openKit } from "../support/kit.ts";
import { present } from "../support/present.ts";

/** The pages with a script. */
const scripted = ["formPost", "home", "consent", "deviceConsent"];

describe("Every page", () => {
  it("A35 B24 cannot be framed (RFC 9700, section 4.16)", async () => {
    for (const [name, { headers }] of Object.entries(await everyPage())) {
      assertMatch(headers.get("Content-Security-Policy") ?? "", /frame-ancestors 'none'/, name);
      assertEquals(headers.get("X-Frame-Options"), "DENY", name);
    }
  });

  it("A35 runs only our scripts, and has no form-action", async () => {
    for (const [name, { headers, html }] of Object.entries(await everyPage())) {
      const scripts = scripted.includes(name) ? "'self'" : "'none'";
      assertMatch(
        headers.get("Content-Security-Policy")!,
        new RegExp(`default-src 'none'.*script-src ${scripts};`),
        name,
      );
      assertNotMatch(headers.get("Content-Security-Policy")!, /form-action|unsafe/, name);
      assertNotMatch(html, /<script(?! src="\/static\/)| on[a-z]+="| style="/, name);
    }
  });

  it("A44 B15 loads nothing from elsewhere, sends no referrer, and stays in no cache", async () => {
    for (const [name, { headers, html }] of Object.entries(await everyPage())) {
      assertEquals(headers.get("Referrer-Policy"), "no-referrer", name);
      assertEquals(headers.get("Cache-Control"), "no-store", name);
      assertNotMatch(html, /(src|href)="(?!\/|https:\/\/hallpass\.test\/)/, name);
    }
  });

  it("A07 is closed to scripts of other origins", async () => {
    for (const { headers } of Object.values(await everyPage())) {
      assertEquals(headers.has("Access-Control-Allow-Origin"), false);
    }
  });

  it("is marked in a lab", async () => {
    for (const [name, { html }] of Object.entries(await everyPage())) {
      assertMatch(html, /id="notice"[^>]*>Test only/, name);
    }
  });
});

describe("The consent page", () => {
  it("A38 shows the client's name, the user and exactly the scopes", async () => {
    const { consent } = await everyPage();
    for (
      const part of [
        "Demo single-page app",
        "alice",
        ">openid</code>",
        ">profile</code>",
        ">read</code>",
      ]
    ) {
      assert(consent.html.includes(part), part);
    }
    assertEquals(consent.html.match(/<li>/g)?.length, 3);
  });
});

describe("The files that pages need", () => {
  for (
    const [name, type] of [["style.css", "text/css"], ["icon.svg", "image/svg"], [
      "copy.js",
      "text/javascript",
    ], [
      "form_post.js",
      "text/javascript",
    ]]
  ) {
    it(`are there: ${name}`, async () => {
      const response = await openKit().get(`/static/${name}`);
      assertEquals([
        response.status,
        response.headers.get("Content-Type")?.startsWith(present(type)),
      ], [
        200,
        true,
      ]);
    });
  }

  for (const name of ["nothing.css", "__proto__", "constructor", "..%2fserver.ts"]) {
    it(`are no others: ${name}`, async () => {
      assertEquals((await openKit().get(`/static/${name}`)).status, 404);
    });
  }
});
