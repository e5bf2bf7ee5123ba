import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import { staticPath } from "../../src/server/pages/our_files.ts";
import { fixturesOf } from "../features.ts";
import { everyPage } from "../support/every_page.ts";
import type { PageFixture } from "../support/feature_fixtures.ts";
import { openKit } from "../support/kit.ts";

/** The pages with a script. */
const scripted = ["formPost", "consent", ...pagesThat((page) => page.hasScript)];

/** The names of those pages of features for which something is true. */
function pagesThat(isTrue: (page: PageFixture) => boolean | undefined): string[] {
  return Object.entries(fixturesOf("pages")).flatMap(([name, page]) => isTrue(page) ? [name] : []);
}

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

describe("A page of an authorization", () => {
  const duringAuthorization = [
    "signIn",
    "consent",
    "formPost",
    "selectAccount",
    "signInFailed",
    ...pagesThat((page) => page.isOfAuthorization),
  ];

  it("keeps the window that opened it as a popup, as no other page does", async () => {
    for (const [name, { headers }] of Object.entries(await everyPage())) {
      const expected = duringAuthorization.includes(name) ? null : "same-origin";
      assertEquals(headers.get("Cross-Origin-Opener-Policy"), expected, name);
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
    const [name, type] of [
      ["style.css", "text/css"],
      ["icon.svg", "image/svg"],
      ["copy.js", "text/javascript"],
      ["form_post.js", "text/javascript"],
    ] as const
  ) {
    it(`never change under their names: ${name}`, async () => {
      const { status, headers } = await openKit().get(staticPath("", name));
      assertEquals(status, 200);
      assertMatch(headers.get("Content-Type") ?? "", new RegExp(`^${type}`));
      assertMatch(headers.get("Cache-Control") ?? "", /max-age=31536000, immutable/);
    });

    it(`are found by their plain names: ${name}`, async () => {
      const { headers } = await openKit().get(`/static/${name}`);
      assertEquals(headers.get("Location"), staticPath("", name));
    });
  }

  it("include the icon that browsers look for by themselves", async () => {
    const { headers } = await openKit().get("/favicon.ico");
    assertEquals(headers.get("Location"), staticPath("", "icon.svg"));
  });

  for (
    const name of ["nothing.css", "style.0000000.css", "__proto__", "constructor", "..%2fserver.ts"]
  ) {
    it(`are no others: ${name}`, async () => {
      assertEquals((await openKit().get(`/static/${name}`)).status, 404);
    });
  }
});
