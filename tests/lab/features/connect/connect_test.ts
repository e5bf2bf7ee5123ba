import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import { connections } from "../../../../src/lab/features/connect/connections.ts";
import type { LabConfig } from "../../../../src/lab/lab_config.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { textOf } from "../../../support/browser.ts";
import { completed } from "../../../support/completed.ts";
import { openTab } from "../../../support/lab_tab.ts";
import { present } from "../../../support/present.ts";
import { needs } from "../../../support/where_feature.ts";

const issuer = "http://localhost:9000";

/** Returns the section of the home page, with a library that is chosen. */
async function openSection(config: Partial<LabConfig> = {}, library = ""): Promise<string> {
  await using lab = openLab({ issuer, ...config });
  const html = await (await openTab(lab)).html(`/?library=${library}`);
  return present(/<section class="panel" id="connect">.*?<\/section>/s.exec(html)?.[0]);
}

/** Returns the names of the libraries to choose from, with what each is called in a URL. */
function librariesIn(section: string): Map<string, string> {
  const options = [...section.matchAll(/<option value="([^"]*)"[^>]*>(.*?)<\/option>/g)];
  return new Map(options.map(([, value = "", name = ""]) => [name, value]));
}

/** Returns the lines of each library. */
async function linesOfAll(config: Partial<LabConfig> = {}): Promise<Record<string, string>> {
  const lines: Record<string, string> = {};
  for (const [name, value] of librariesIn(await openSection(config))) {
    const section = await openSection(config, value);
    lines[name] = textOf(present(/<pre [^>]*>(.*?)<\/pre>/s.exec(section)?.[1]));
  }
  return lines;
}

describe("The lines that connect an application", () => {
  it("name the lab and a client, with its secret where the application can keep one", async () => {
    const lines = await linesOfAll();
    const withMetadata = connections.filter(({ isWithoutMetadata }) => !isWithoutMetadata);
    assertEquals(Object.keys(lines), withMetadata.map(({ library }) => library));
    for (const [library, text] of Object.entries(lines)) {
      const isPublic = ["MSAL", "oidc-client-ts"].includes(library);
      assertMatch(text, /localhost:9000/);
      assertMatch(text, isPublic ? /demo-spa/ : /demo-web\b[^]*demo-web-secret/);
      assertNotMatch(text, /\{\w+\}/);
      if (isPublic) assertNotMatch(text, /secret/i);
    }
  });

  it("are what their libraries read, as far as a parser can tell", async () => {
    const lines = await linesOfAll();
    assertMatch(present(lines.Django), /TOKEN_ENDPOINT = "http:\/\/localhost:9000\/oauth2\/token"/);
    JSON.parse(`{${lines["ASP.NET Core"]}}`);
    for (const library of ["MSAL", "oidc-client-ts"]) new Function(present(lines[library]));
    new Function(`return { ${lines["Auth.js"]} }`);
    new Function(`return async () => { ${lines.Supabase} }`);
  });

  it("are left out where the lab has no such client", async () => {
    const web = { id: "shop", secret: "a-secret-of-32-letters-and-digits", redirectUris: [issuer] };
    const all = librariesIn(await openSection());
    const ofWeb = librariesIn(await openSection({ clients: [web] }));
    assertEquals([...all.keys()].filter((name) => !ofWeb.has(name)), ["MSAL", "oidc-client-ts"]);
    assertNotMatch(await openSection({ clients: [] }), /<pre|<select/);
  });

  it("are hidden without the lab's token, because they contain a secret", async () => {
    const section = await openSection({ labToken: "a-token-of-32-letters-and-digits" });
    assertNotMatch(section, /<pre|<select|secret/);
  });

  it(
    "U6: name endpoints and no issuer where a provider has no metadata",
    needs("providers"),
    async () => {
      const lines = await linesOfAll(await completed({ issuer, provider: "github" }));
      assertEquals(Object.keys(lines), ["Environment variables"]);
      assertMatch(
        lines["Environment variables"] ?? "",
        /AUTHORIZATION_URL=\S+\/login\/oauth\/authorize TOKEN_URL=\S+ CLIENT_ID=\S+ CLIENT_SECRET/,
      );
    },
  );

  it("U6: are those of the library that was chosen last, without scripts", async () => {
    await using lab = openLab({ issuer });
    const tab = await openTab(lab);
    await tab.html("/?chosen=1&library=django");
    assertMatch(await tab.html("/"), /<option value="django" selected>/);
    assertMatch(await tab.html("/"), /OIDC_RP_CLIENT_ID/);
  });

  it("come with the redirect URI to register, and where, until that is done", async () => {
    const uri = "http://localhost:5173/callback";
    const library = "oidc-client-ts";
    const todo = textOf(await openSection({}, library));
    assert(todo.includes(`Register ${uri} for demo-spa , or with one click`), todo);
    const done = textOf(await openSection({ redirectUris: [uri] }, library));
    assert(done.includes(`Register ${uri} for demo-spa (done).`), done);
  });

  it("name the redirect URI that is registered, on another port than in a guide", async () => {
    const config = { redirectUris: ["http://localhost:24920/callback"] };
    const section = textOf(await openSection(config, "passport"));
    assert(section.includes("Register http://localhost:24920/callback for demo-web (done)."));
    assertMatch(section, /callbackURL = "http:\/\/localhost:24920\/callback"/);
    assertEquals(section.includes("http://localhost:3000/callback"), false);
    const other = textOf(await openSection(config, "auth-js"));
    assert(other.includes("/api/auth/callback/hallpass for demo-web , or with one click"));
  });
});
