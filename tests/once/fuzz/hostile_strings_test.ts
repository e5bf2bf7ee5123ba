import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { demoUsers } from "../../../src/lab/demo/demo_users.ts";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { loadLabPages } from "../../../src/lab/routes/page_table.ts";
import { ConfigError } from "../../../src/server/config/problems.ts";
import hostileStrings from "../../corpora/hostile_strings.json" with { type: "json" };
import { featureFixtures } from "../../features.ts";
import { everyPage } from "../../support/every_page.ts";
import { type Kit, openKit } from "../../support/kit.ts";
import { openTab } from "../../support/lab_tab.ts";
import { elementShapes, htmlProblems, textsOf } from "./html_problems.ts";

const labPages = await loadLabPages();

const issuer = "https://hallpass.test";
const redirectUris = [`${issuer}/authorized`];

/** The clients with which features open their pages. */
const featureClients = featureFixtures.flatMap(({ clients = [] }) => clients);

/** The HTML of pages, by what they are. */
type Pages = Record<string, string>;

/** A lab in which a text is the name of everything that has one. */
function configWith(text: string): LabConfig {
  const [, ...others] = demoUsers;
  return {
    issuer,
    scopes: { openid: text, profile: text, read: text, admin: text },
    clients: [
      { id: "demo-spa", name: text, redirectUris, responseModes: ["query", "form_post"] },
      ...featureClients.map((client) => ({ ...client, name: text })),
    ],
    users: [{ name: "alice", password: "alice", claims: { name: text, email: text } }, ...others],
  };
}

/** Opens a lab with a text as its names; with ordinary names if it does not accept these. */
function openWith<T>(text: string, open: (config: LabConfig) => T): T {
  try {
    return open(configWith(text));
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    return open(configWith("Plain"));
  }
}

/** Opens the pages of the server; those that take text from a request get it there as well. */
async function serverPages(text: string): Promise<Pages> {
  const kit: Kit = openWith(text, openKit);
  const pages = Object.entries(await everyPage("en", kit)).map(([name, { html }]) => [name, html]);
  const query = (name: string) => new URLSearchParams({ [name]: text });
  const browser = kit.browser();
  const signIn = await browser.open(kit.authorizationUrl());
  const failed = await browser.submit(signIn, "sign-in", { username: text, password: text });
  const open = async (url: string) => (await browser.open(url)).html;
  return {
    ...Object.fromEntries(pages),
    "sign-in with a hint": await open(kit.authorizationUrl({ login_hint: text })),
    "sign-in that failed": failed.html,
    "unknown client": await open(kit.authorizationUrl({ client_id: text })),
    "unknown redirect URI": await open(kit.authorizationUrl({ redirect_uri: text })),
    "unknown path": await open(`${issuer}/${encodeURIComponent(text)}`),
    "device with a code": await open(`${issuer}/device?${query("user_code")}`),
    "sign-out for an unknown client": await open(`${issuer}/oauth2/logout?${query("client_id")}`),
    "callback with an error": await open(
      `${issuer}/authorized?${new URLSearchParams({ error: text, error_description: text })}`,
    ),
    "callback with a code": await open(
      `${issuer}/authorized?${new URLSearchParams({ code: text, state: text })}`,
    ),
  };
}

/** What a browser shows no page for: the stream of events, and a file that it saves. */
const otherPaths = ["/live", "/state/configuration"];

const pagePaths = labPages
  .filter(({ method, path }) =>
    method === "GET" && !path.includes(":") && !otherPaths.includes(path)
  )
  .map(({ path }) => `/lab${path}`);

/** Opens the pages of a lab in which a text is everywhere: in names, in requests and in faults. */
async function labPagesWith(text: string): Promise<Pages> {
  await using lab = openWith(text, openLab);
  lab.fault("token.slow", { client: text, state: text, loginHint: text, times: 1, delay: 0 });
  const fields = { client_id: text, state: text, scope: text, redirect_uri: text };
  await lab.fetch(new Request(`${issuer}/oauth2/authorize?${new URLSearchParams(fields)}`));
  const body = new URLSearchParams({ grant_type: text, code: text, client_id: "demo-spa" });
  await lab.fetch(new Request(`${issuer}/oauth2/token`, { method: "POST", body }));
  const tab = await openTab(lab);
  const query = new URLSearchParams({ q: text, client: text, client_id: text, scope: text });
  const paths = [
    ...pagePaths,
    "/lab/users/alice",
    "/lab/clients/demo-spa",
    ...lab.flows().map(({ id }) => `/lab/flows/${id}`),
  ];
  const pages: Pages = { home: await tab.html(`/?${query}`) };
  for (const path of paths) pages[path] = await tab.html(`${path}?${query}`);
  const explained = await tab.post("/lab/tokens/explain", { text });
  return { ...pages, "explained text": await explained.text() };
}

/** Returns the shapes of elements on the pages with ordinary texts. One finds things, one is folded. */
async function shapesWith(open: (text: string) => Promise<Pages>): Promise<Set<string>> {
  const pages = await Promise.all(["Plain", "a", "long ".repeat(20)].map(open));
  return new Set(pages.flatMap((each) => Object.values(each)).flatMap(elementShapes));
}

/** Fails if a text has added an element or an attribute to a page, or anything that runs. */
function assertPlain(pages: Pages, known: ReadonlySet<string>): void {
  for (const [name, html] of Object.entries(pages)) {
    assertEquals(htmlProblems(html), [], name);
    assertEquals(elementShapes(html).filter((shape) => !known.has(shape)), [], name);
  }
}

/** Returns how many pages show a text exactly as it is. */
function countShowing(pages: Pages, text: string): number {
  return Object.values(pages).filter((html) => textsOf(html).some((each) => each.includes(text)))
    .length;
}

describe("The corpus of hostile strings", () => {
  it("is in a saved configuration that no browser takes for a page", async () => {
    await using lab = openWith("<script>", openLab);
    const tab = await openTab(lab);
    const { headers } = await tab.get("/lab/state/configuration");
    assertMatch(headers.get("Content-Type") ?? "", /^application\/json/);
    assertMatch(headers.get("Content-Disposition") ?? "", /^attachment/);
    assertEquals(headers.get("X-Content-Type-Options"), "nosniff");
  });

  it("has at least 60", () => {
    assert(hostileStrings.length >= 60, `${hostileStrings.length}`);
  });

  const shapesOfServer = shapesWith(serverPages);
  const shapesOfLab = shapesWith(labPagesWith);
  for (const { what, text } of hostileStrings) {
    it(`A39 is text on every page of the server: ${what}`, async () => {
      const pages = await serverPages(text);
      assertPlain(pages, await shapesOfServer);
      // deno-lint-ignore no-control-regex
      const isShown = /^[^\x00-\x1f]*$/.test(text) && text.length < 100;
      if (isShown) assert(countShowing(pages, text) > 0, "no page shows it");
    });

    it(`A39 is text on every page of a lab: ${what}`, async () => {
      assertPlain(await labPagesWith(text), await shapesOfLab);
    });
  }
});
