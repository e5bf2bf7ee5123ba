import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import { connections } from "../../../../src/lab/features/connect/connections.ts";
import type { LabConfig } from "../../../../src/lab/lab_config.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { textOf } from "../../../support/browser.ts";
import { openTab } from "../../../support/lab_tab.ts";
import { present } from "../../../support/present.ts";

const issuer = "http://localhost:9000";

/** Returns the section of the home page, or undefined. */
async function openSection(config: Partial<LabConfig> = {}): Promise<string | undefined> {
  await using lab = openLab({ issuer, ...config });
  const html = await (await openTab(lab)).html("/");
  return /<section class="panel" id="connect">.*?<\/section>/s.exec(html)?.[0];
}

/** Returns the lines of each library. */
function linesIn(section: string | undefined): Record<string, string> {
  const entries = present(section).matchAll(
    /<summary>(.*?)<\/summary>.*?<code data-copy[^>]*>(.*?)<\/code><\/pre>/gs,
  );
  return Object.fromEntries(
    [...entries].map(([, library = "", lines = ""]) => [library, textOf(lines)]),
  );
}

describe("The lines that connect an application", () => {
  it("name the lab and a client, with its secret where the application can keep one", async () => {
    const lines = linesIn(await openSection());
    assertEquals(Object.keys(lines), connections.map(({ library }) => library));
    for (const [library, text] of Object.entries(lines)) {
      const isPublic = ["MSAL", "oidc-client-ts"].includes(library);
      assertMatch(text, /localhost:9000/);
      assertMatch(text, isPublic ? /demo-spa/ : /demo-web\b[^]*demo-web-secret/);
      assertNotMatch(text, /\{\w+\}/);
      if (isPublic) assertNotMatch(text, /secret/i);
    }
  });

  it("are what their libraries read, as far as a parser can tell", async () => {
    const lines = linesIn(await openSection());
    assertMatch(present(lines.Django), /TOKEN_ENDPOINT = "http:\/\/localhost:9000\/oauth2\/token"/);
    JSON.parse(`{${lines["ASP.NET Core"]}}`);
    for (const library of ["MSAL", "oidc-client-ts"]) new Function(present(lines[library]));
    new Function(`return { ${lines["Auth.js"]} }`);
    new Function(`return async () => { ${lines.Supabase} }`);
  });

  it("are left out where the lab has no such client", async () => {
    const web = { id: "shop", secret: "a-secret-of-32-letters-and-digits", redirectUris: [issuer] };
    assertEquals(
      Object.keys(linesIn(await openSection({ clients: [web] }))).length,
      connections.length - 2,
    );
    assertEquals(await openSection({ clients: [] }), undefined);
  });

  it("are hidden without the lab's token, because they contain a secret", async () => {
    assertEquals(await openSection({ labToken: "a-token-of-32-letters-and-digits" }), undefined);
  });

  it("come with the redirect URI to register, and where, until that is done", async () => {
    const uri = "http://localhost:5173/callback";
    const todo = textOf(present(await openSection()));
    assert(todo.includes(`Register ${uri} for demo-spa , or start the lab`), todo);
    const done = textOf(present(await openSection({ redirectUris: [uri] })));
    assert(done.includes(`Register ${uri} for demo-spa (done).`), done);
  });

  it("name the redirect URI that is registered, on another port than in a guide", async () => {
    const html = await openSection({ redirectUris: ["http://localhost:24920/callback"] });
    const section = textOf(present(html));
    assert(section.includes("Register http://localhost:24920/callback for demo-web (done)."));
    assertMatch(section, /callbackURL = "http:\/\/localhost:24920\/callback"/);
    assertEquals(section.includes("http://localhost:3000/callback"), false);
    assert(section.includes("/api/auth/callback/hallpass for demo-web , or start the lab"));
  });
});
