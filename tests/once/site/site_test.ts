import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { readdir } from "node:fs/promises";
import { describe, it } from "node:test";
import { type BuiltFile, serveFiles } from "../../../scripts/built_files.ts";
import { reasonNotFetched } from "../../../scripts/downloads.ts";
import { currentRelease, installation } from "../../../scripts/references/write_install.ts";
import { buildSite, siteFacts } from "../../../scripts/site.ts";
import { chromium, type Tab, withChromium } from "../../support/chromium.ts";
import { eventually } from "../../support/eventually.ts";
import { present } from "../../support/present.ts";
import { everyLook, problemsOf } from "../browser/page_problems.ts";

const repository = "https://github.com/Example/hallpass";
const onGitHub = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "Example/hallpass" };
const skip = await reasonNotFetched("scripts/site/marked");
const site = skip ? [] : await buildSite(siteFacts(undefined, onGitHub));
const pages = site.filter(({ path }) => path.endsWith(".html"));

function textOf(path: string, files: readonly BuiltFile[] = site): string {
  return String(present(files.find((file) => file.path === path)).content);
}

/** Returns the links of the site that lead to no file, or to nothing in one. */
function brokenLinks(files: readonly BuiltFile[], pattern: RegExp, ending: string): string[] {
  return files.filter(({ path }) => path.endsWith(ending)).flatMap(({ path, content }) =>
    [...String(content).matchAll(pattern)].map(([, target = ""]) => target)
      .filter((target) =>
        !/^(?:https?:|mailto:)/.test(target) && !leadsSomewhere(files, path, target)
      )
      .map((target) => `${path}: ${target}`)
  );
}

function leadsSomewhere(files: readonly BuiltFile[], from: string, target: string): boolean {
  const [path = "", anchor] = target.split("#");
  if (path === "playground/index.html") return true;
  const file = files.find((each) => each.path === (path || from));
  if (!file) return false;
  return anchor === undefined || !file.path.endsWith(".html") ||
    String(file.content).includes(`id="${anchor}"`);
}

describe("deno task site", () => {
  it("has a page for each document, and the front page leads to all", { skip }, async () => {
    const documents = (await readdir(".github")).filter((name) => name.endsWith(".md"))
      .map((name) => name.replace(".md", "").toLowerCase().replaceAll("_", "-"));
    const names = pages.map(({ path }) => path.replace(".html", ""));
    assertEquals(names.sort(), [...documents, "index"].sort());
    for (const name of documents) assertStringIncludes(textOf("index.html"), `href="${name}.html"`);
    for (const name of documents) assertStringIncludes(textOf("llms.txt"), `/hallpass/${name}.md)`);
  });

  it("has no link and no picture that leads nowhere, in pages and in Markdown", { skip }, () => {
    assertEquals(brokenLinks(site, /(?:href|src)="([^"]*)"/g, ".html"), []);
    assertEquals(brokenLinks(site, /(?<!!)\[[^\]\n]+\]\(([^)\s]+)\)/g, ".md"), []);
  });

  it(
    "leads from a guide to the files of the repository, or says only their names",
    { skip },
    async () => {
      const file = "tests/examples/example.refresh.ts";
      assertStringIncludes(
        textOf("testing-a-client.html"),
        `href="${repository}/blob/main/${file}"`,
      );
      const elsewhere = await buildSite(siteFacts(undefined, {}));
      assertEquals(
        textOf("testing-a-client.html", elsewhere).includes("example.refresh.ts</a>"),
        false,
      );
      assertEquals(brokenLinks(elsewhere, /(?:href|src)="([^"]*)"/g, ".html"), []);
    },
  );

  it("has the anchors of GitHub, and one for each setting, rule and fault", { skip }, () => {
    assertStringIncludes(textOf("running.html"), 'id="a-backup-of-redis"');
    assertStringIncludes(textOf("configuration.html"), 'id="clients-redirectUris"');
    assertStringIncludes(textOf("rules.html"), 'id="verifier.matches"');
    assertMatch(textOf("faults-and-drills.html"), /id="[\w-]+-token\.invalid_grant"/);
    for (const { path, content } of pages) {
      const ids = [...String(content).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      assertEquals(ids.length, new Set(ids).size, `${path} has an id twice`);
    }
  });

  it("breaks names where their parts end, and cuts out no indentation", { skip }, () => {
    assertStringIncludes(textOf("rules.html"), "<code>verifier.<wbr>matches</code>");
    const blocks = pages.flatMap(({ content }) =>
      [...String(content).matchAll(/<pre[^>]*><code>([^]*?)<\/code>/g)].map(([, code = ""]) => code)
    );
    assertEquals(blocks.filter((code) => /^ /.test(code) && !/^\S/m.test(code)), []);
  });

  it("has a title, a description and a picture for who links to it", { skip }, () => {
    for (const { path, content } of pages) {
      const text = String(content);
      const image = `https://example.github.io/hallpass/cards/${path.replace("html", "png")}`;
      assertStringIncludes(text, `<meta property="og:image" content="${image}"`);
      assertMatch(text, /<meta name="description" content="[^"]{20,}"/, path);
      assertMatch(text, /<title>[^<]+<\/title>/);
    }
  });

  it(
    "has a frame, a style and a script of at most 60 kB",
    { skip },
    () => {
      const own = ["index.html", "code-of-conduct.html", "site.css", "search.js"].map((path) =>
        textOf(path)
      );
      assert(own.join("").length < 60_000);
    },
  );

  it("says how Hallpass is installed, with the address of the repository", { skip }, () => {
    const { install } = siteFacts(undefined, onGitHub);
    assertEquals(install, installation("site", { ...currentRelease, repository }));
    assertStringIncludes(textOf("index.html"), install.split("\n")[0] ?? "");
  });
});

describe("The site in a browser", () => {
  const noBrowser = skip || !chromium && "this machine has no Chromium";

  async function visit(act: (tab: Tab, url: string) => Promise<void>): Promise<void> {
    const { port, close } = await serveFiles(site, "/hallpass/");
    try {
      await withChromium((tab) => act(tab, `http://localhost:${port}/hallpass/`));
    } finally {
      await close();
    }
  }

  it("is accessible and fits in every look", { skip: noBrowser }, async () => {
    await visit(async (tab, url) => {
      for (const path of ["index.html", "configuration.html", "coming-from.html"]) {
        await tab.goto(url + path);
        assertEquals(await problemsOf(tab, everyLook), [], path);
      }
    });
  });

  it("is accessible and fits at 360 px on all pages", { skip: noBrowser }, async () => {
    await visit(async (tab, url) => {
      for (const { path } of pages) {
        await tab.goto(url + path);
        assertEquals(
          await problemsOf(tab, [{ width: 360, theme: "dark", rules: "all" }]),
          [],
          path,
        );
        assertEquals(tab.complaints, [], path);
      }
    });
  });

  const questions: Array<[asked: string, first: RegExp]> = [
    ["how do I test a refresh", /testing-a-client\.html#test-a-refresh$/],
    ["which settings has a client", /configuration\.html#clients$/],
    ["coming from WireMock", /coming-from\.html#wiremock/],
    ["redirectUris", /configuration\.html#clients-redirectUris$/],
    ["keycloak", /#keycloak|keycloak/i],
    // Guides come before settings, and one letter may be wrong.
    ["refresh", /testing-a-client\.html#.*refresh/],
    ["wiremok", /coming-from\.html#wiremock/],
  ];
  it("finds what readers ask for", { skip: noBrowser }, async () => {
    await visit(async (tab, url) => {
      await tab.goto(`${url}index.html`);
      for (const [asked, first] of questions) {
        await tab.type("#query", asked);
        await tab.evaluate(`document.getElementById("query").dispatchEvent(new Event("input"))`);
        await eventually(async () => {
          const link = `document.querySelector("#results a")?.href ?? ""`;
          assertMatch(await tab.evaluate<string>(link), first, asked);
        });
      }
    });
  });

  it(
    "needs no script: the columns lead everywhere, and there is no search",
    { skip: noBrowser },
    async () => {
      await visit(async (tab, url) => {
        await tab.send("Emulation.setScriptExecutionDisabled", { value: true });
        await tab.goto(`${url}running.html`);
        const html = await tab.html();
        assertMatch(html, /<form id="search"[^>]* hidden/);
        assertMatch(html, /<details><summary>All documents<\/summary>/);
        assertMatch(html, /href="#back-up-and-restore"/);
      });
    },
  );
});
