import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { readdir } from "node:fs/promises";
import { describe, it } from "node:test";
import { type BuiltFile, builtPlayground, serveFiles } from "../../../scripts/built_files.ts";
import { reasonNotFetched } from "../../../scripts/downloads.ts";
import { buildSite, siteFacts } from "../../../scripts/site.ts";
import { chromium, type Tab, withChromium } from "../../support/chromium.ts";
import { eventually } from "../../support/eventually.ts";
import { lookAt } from "../../support/page_quality.ts";
import { present } from "../../support/present.ts";
import { everyLook, problemsInLooks } from "../browser/page_problems.ts";

const repository = "https://github.com/Example/hallpass";
const onGitHub = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "Example/hallpass" };
const skip = await reasonNotFetched("scripts/site/vitepress");
const site = skip ? [] : await buildSite(siteFacts(undefined, onGitHub));
const pages = site.filter(({ path }) => path.endsWith(".html") && path !== "404.html");

function textOf(path: string, files: readonly BuiltFile[] = site): string {
  return contentOf(present(files.find((file) => file.path === path)));
}

function contentOf({ content }: BuiltFile): string {
  return typeof content === "string" ? content : new TextDecoder().decode(content);
}

/** Returns the links of the site that lead to no file, or to nothing in one. */
function brokenLinks(files: readonly BuiltFile[], pattern: RegExp, ending: string): string[] {
  return files.filter(({ path }) => path.endsWith(ending)).flatMap((file) =>
    [...contentOf(file).matchAll(pattern)].map(([, target = ""]) => target)
      .filter((target) =>
        !/^(?:https?:|mailto:)/.test(target) && !leadsSomewhere(files, file.path, target)
      )
      .map((target) => `${file.path}: ${target}`)
  );
}

function leadsSomewhere(files: readonly BuiltFile[], from: string, target: string): boolean {
  const [given = "", anchor] = target.split("#");
  const path = given.replace(/^\.?\/(?:hallpass\/)?/, "");
  if (path === "playground/index.html") return true;
  const file = files.find((each) => each.path === (given ? path || "index.html" : from));
  if (!file) return false;
  return anchor === undefined || !file.path.endsWith(".html") ||
    contentOf(file).includes(`id="${anchor}"`);
}

describe("deno task site", () => {
  it("has a page for each document, and the front page leads to all", { skip }, async () => {
    const documents = (await readdir(".github")).filter((name) => name.endsWith(".md"))
      .map((name) => name.replace(".md", "").toLowerCase().replaceAll("_", "-"));
    const names = pages.map(({ path }) => path.replace(".html", ""));
    assertEquals(names.sort(), [...documents, "index"].sort());
    for (const name of documents) {
      assertStringIncludes(textOf("index.html"), `href="/hallpass/${name}.html"`);
    }
    for (const name of documents) assertStringIncludes(textOf("llms.txt"), `/hallpass/${name}.md)`);
  });

  it("has no link and no picture that leads nowhere, in pages and in Markdown", { skip }, () => {
    assertEquals(brokenLinks(site, /(?:href|src)="([^"]*)"/g, ".html"), []);
    assertEquals(brokenLinks(site, /\[[^\]\n]+\]\(([^)\s]+)\)/g, ".md"), []);
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
    assertStringIncludes(textOf("rules.html"), 'id="verifier-verifier.matches"');
    assertMatch(textOf("faults-and-drills.html"), /id="[\w-]+-token\.invalid_grant"/);
    for (const page of pages) {
      const ids = [...contentOf(page).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      assertEquals(ids.length, new Set(ids).size, `${page.path} has an id twice`);
    }
  });

  it("breaks names where their parts end, and cuts out no indentation", { skip }, () => {
    assertStringIncludes(textOf("rules.html"), "<code>verifier.<wbr>matches</code>");
    const blocks = pages.flatMap((page) =>
      [...contentOf(page).matchAll(/<pre[^>]*><code>([^]*?)<\/code>/g)].map(([, code = ""]) => code)
    );
    assertEquals(blocks.filter((code) => /^ /.test(code) && !/^\S/m.test(code)), []);
  });

  it("has a title, a description and a picture for who links to it", { skip }, () => {
    for (const page of pages) {
      const text = contentOf(page);
      const image = "https://example.github.io/hallpass/pictures/drill.png";
      assertStringIncludes(text, `<meta property="og:image" content="${image}"`);
      assertMatch(text, /<meta name="description" content="[^"]{20,}"/, page.path);
      assertMatch(text, /<title>[^<]+<\/title>/);
    }
  });

  it("shows how Hallpass is installed, and none of the comments around it", { skip }, () => {
    assertMatch(textOf("index.html"), /deno task start|npm install --save-dev hallpass/);
    assertEquals(textOf("index.html").includes("install:"), false);
  });

  it("shows <NAME> and {{ of our texts, and its scripts and styles are files", { skip }, () => {
    assertStringIncludes(textOf("applications.html"), "{{ user.name }}");
    assertMatch(textOf("the-kit.html"), /&lt;[A-Z]/);
    for (const page of pages) {
      assertMatch(
        contentOf(page),
        /<meta http-equiv="Content-Security-Policy" content="default-src 'none'/,
      );
      assertEquals(/<script(?![^>]* src=)|<style| style="/.test(contentOf(page)), false, page.path);
    }
  });

  it("asks no one for anything but its own files", { skip }, () => {
    const loaded = /(?:<(?:img|script)[^>]* src|<link[^>]* href)="https?:[^"]*/g;
    for (const page of pages) assertEquals(contentOf(page).match(loaded), null, page.path);
  });

  it("is the same when it is built again", { skip }, async () => {
    const again = await buildSite(siteFacts(undefined, onGitHub));
    const isOther = (file: BuiltFile) =>
      !site.some((each) => each.path === file.path && contentOf(each) === contentOf(file));
    assertEquals([again.length, ...again.filter(isOther).map(({ path }) => path)], [site.length]);
    // The names of the playground's files have hashes of what is in them.
    const playground = async () => (await builtPlayground()).map(({ path }) => path);
    assertEquals(await playground(), await playground());
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
        assertEquals(await problemsInLooks(tab, everyLook), [], path);
      }
    });
  });

  it("is accessible and fits at 360 px on all pages", { skip: noBrowser }, async () => {
    await visit(async (tab, url) => {
      for (const { path } of pages) {
        await tab.goto(url + path);
        assertEquals(
          await problemsInLooks(tab, [{ width: 360, theme: "dark", rules: "all" }]),
          [],
          path,
        );
        assertEquals(tab.complaints, [], path);
      }
    });
  });

  const questions: Array<[asked: string, found: RegExp]> = [
    ["pytest", /recipes\.html#other-languages$/],
    ["clock advance", /testing-an-api\.html#test-with-the-clock/],
    ["exit code 8", /testing-a-client\.html#exit-codes$/],
    ["how do I test a refresh", /testing-a-client\.html#test-a-refresh$/],
    ["coming from WireMock", /coming-from\.html#wiremock/],
    ["redirectUris", /configuration\.html#clients-redirectUris$/],
    ["keycloak", /keycloak/],
    // One letter may be wrong.
    ["wiremok", /coming-from\.html#wiremock/],
  ];
  it("finds what readers ask for among the first two results", { skip: noBrowser }, async () => {
    await visit(async (tab, url) => {
      await tab.goto(`${url}index.html`);
      await eventually(async () => {
        await tab.evaluate(`document.querySelector(".DocSearch-Button").click()`);
        assert(await tab.evaluate(`document.querySelector("#localsearch-input") !== null`));
      });
      for (const [asked, found] of questions) {
        await tab.type("#localsearch-input", asked);
        await tab.evaluate(`document.activeElement.dispatchEvent(new Event("input"))`);
        await eventually(async () => {
          const links = await tab.evaluate<string[]>(
            `[...document.querySelectorAll(".results a")].map(({ href }) => href)`,
          );
          assert(links.slice(0, 2).some((link) => found.test(link)), `${asked}: ${links}`);
        });
      }
      assertEquals(tab.complaints, []);
    });
  });

  it(
    "needs no script: lists lead everywhere, and there is no search",
    { skip: noBrowser },
    async () => {
      await visit(async (tab, url) => {
        await tab.send("Emulation.setScriptExecutionDisabled", { value: true });
        for (const width of [1280, 360]) {
          await lookAt(tab, { width, theme: "light" });
          await tab.goto(`${url}testing-a-client.html`);
          const shown = await tab.evaluate<string[]>(
            `[...document.querySelectorAll("a, button")].filter((each) => each.checkVisibility({
            opacityProperty: true, visibilityProperty: true }))
            .map((each) => each.getAttribute("href") ?? each.className)`,
          );
          for (const link of ["/hallpass/running.html", "#sign-users-out"]) {
            assert(shown.includes(link));
          }
          assertEquals(shown.filter((name) => /DocSearch|hamburger|menu/.test(name)), []);
        }
      });
    },
  );
});
