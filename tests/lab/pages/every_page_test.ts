import { assert, assertEquals, assertMatch } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { describe } from "node:test";
import type { Lab } from "../../../src/lab/lab.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import type { LabPageRoute } from "../../../src/lab/pages/page/lab_page.ts";
import { loadLabPages } from "../../../src/lab/routes/page_table.ts";
import { itWith } from "../../support/it_with.ts";
import { type LabTab, openTab } from "../../support/lab_tab.ts";
import { needs } from "../../support/where_feature.ts";

const labPages = await loadLabPages();

const it = itWith({ inLab: () => openLab({ issuer }), withFaults: needs("faults") });

const issuer = "http://localhost:9000";
const kilobyte = 1000;
const maxAssets = 40 * kilobyte;

/** Text that would be markup if it were not escaped. */
const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}`;

/** What is loaded by GET and is no page: a stream, and a download. */
const others = ["/live", "/state/configuration"];

const withoutPlaceholder = labPages.filter(({ method, path }) =>
  method === "GET" && path.length > 1 && !path.includes(":") && !others.includes(path)
);

async function open(path: string): Promise<[lab: Lab, tab: LabTab, html: string]> {
  const lab = openLab({ issuer });
  const tab = await openTab(lab);
  return [lab, tab, await tab.html(path)];
}

describe("U6: The URL of a form of the lab", () => {
  const forms = labPages.filter(({ method, path }) =>
    method === "POST" && !labPages.some((each) => each.method === "GET" && each.path === path)
  );
  for (const { path } of forms) {
    it(`leads from ${path} to a page, where it was "no such page"`, async () => {
      await using lab = openLab({ issuer });
      const headers = { Accept: "text/html" };
      const response = await lab.fetch(new Request(`${issuer}/lab${path}`, { headers }));
      const location = response.headers.get("Location") ?? "";
      assertEquals([response.status, location !== ""], [303, true]);
      const page = await lab.fetch(new Request(new URL(location, issuer), { headers }));
      // `/lab` leads on to the home page.
      assertEquals(page.status, location === "/lab" ? 303 : 200, location);
    });
  }
});

describe("Every page of the lab", () => {
  it("is among those that a browser test looks at", () => {
    const folder = "tests/once/browser";
    const opened = readdirSync(folder).filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(`${folder}/${name}`, "utf8")).join();
    const missing = withoutPlaceholder.filter(({ path }) =>
      !new RegExp(`/lab${path}(?![\\w/-])`).test(opened)
    );
    assertEquals(missing, [], `Add them to ${folder}/lab_pages.ts.`);
  });

  for (const path of ["/", ...withoutPlaceholder.map((each) => `/lab${each.path}`)]) {
    it(`${path} loads at most 40 kB of script and style`, async () => {
      const [lab, tab, html] = await open(path);
      const files = [...html.matchAll(/(?:href|src)="([^"]*\.(?:css|js))"/g)].map(([, url]) => url);
      const texts = await Promise.all(files.map(async (url = "") => await tab.html(url)));
      const size = texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0);
      assert(files.length >= 3);
      assert(size > 5 * kilobyte && size <= maxAssets, `${size} bytes`);
      await lab.close();
    });
  }

  for (const { path } of withoutPlaceholder) {
    it(`/lab${path} has one heading of the first level, a title, and nothing inline`, async () => {
      const [lab, , html] = await open(`/lab${path}`);
      assertEquals(html.match(/<h1/g)?.length, 1);
      assertMatch(html, /<title>[^<]+ · Hallpass lab<\/title>/);
      assert(!/ style=| on[a-z]+="|javascript:/.test(html));
      assert(!/<script(?! src="\/lab\/static\/)/.test(html));
      await lab.close();
    });

    it(`/lab${path} has no id twice, and a label for each field`, async () => {
      const [lab, , html] = await open(`/lab${path}`);
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      assertEquals(ids.filter((id, at) => ids.indexOf(id) !== at), []);
      const labels = [...html.matchAll(/ for="([^"]+)"/g)].map(([, id]) => id);
      for (const [field] of html.matchAll(/<(?:input|select|textarea)[^>]*>/g)) {
        const isNamed = /type="(hidden|checkbox)"|aria-label=/.test(field) ||
          labels.includes(/ id="([^"]+)"/.exec(field)?.[1]);
        assert(isNamed, field);
      }
      await lab.close();
    });
  }

  it("U6: says in words and in a title what each dot means", async () => {
    const [lab, tab] = await open("/lab/flows");
    await lab.fetch(new Request(`${issuer}/oauth2/authorize?client_id=unknown`));
    const html = await tab.html("/lab/flows");
    const dots = [
      ...html.matchAll(
        /<span class="(?:dot|connection)"[^>]* title="([^"]+)"><span class="visually-hidden">([^<]+)</g,
      ),
    ];
    assertEquals(dots.length, html.match(/class="(?:dot|connection)"/g)?.length);
    for (const [, title, words] of dots) assertEquals(title, words);
    await lab.close();
  });

  it.withFaults("escapes hostile text of users, clients, faults, requests and of the URL", async () => {
    await using lab = openLab({
      issuer,
      notice: hostile,
      users: [{ name: "mallory", claims: { name: hostile, email: hostile, [hostile]: hostile } }],
      clients: [{
        id: "evil",
        name: hostile,
        secret: hostile,
        redirectUris: ["https://x.example/"],
      }],
    });
    lab.fault("token.slow", { client: hostile, state: hostile, times: 1, delay: 0 });
    lab.fault("authorize.server_error", { times: 1 });
    const names = ["client_id", "state", "scope", "redirect_uri", "code_challenge_method"];
    const query = new URLSearchParams(names.map((name) => [name, hostile]));
    for (const _ of [1, 2]) await lab.fetch(new Request(`${issuer}/oauth2/authorize?${query}`));
    const tab = await openTab(lab);
    const pages = [
      ...withoutPlaceholder.map(({ path }) => `/lab${path}?q=${encodeURIComponent(hostile)}`),
      `/?user=${encodeURIComponent(hostile)}&scope=${encodeURIComponent(hostile)}`,
      ...["/lab/flows/flow-1", "/lab/flows/flow-2", "/lab/users/mallory"],
      "/lab/clients/evil",
      `/lab/users/${encodeURIComponent(hostile)}`,
    ];
    for (const page of pages) assertEscaped(await tab.html(page), page);
  });

  it.inLab("escapes hostile text in every field of a form", async (lab) => {
    const tab = await openTab(lab);
    const fields = ["sub", "client", "scope", "kind", "claims", "header", "text", "on", "times"]
      .concat(["id", "name", "clientName", "redirectUris", "others", "fullName", "email", "back"])
      .concat(["state", "delay", "body", "change", "token", "remove", "off", "secret", "password"]);
    const form = Object.fromEntries(fields.map((name) => [name, hostile]));
    for (const { path } of labPages.filter(({ method }) => method === "POST")) {
      const response = await tab.post(`/lab${path.replace(/:\w+/, "x")}`, form);
      assertEscaped(await response.text(), path);
    }
  });

  it.inLab("escapes hostile claims in a token that is explained", async (lab) => {
    const tab = await openTab(lab);
    const encode = (part: object) => btoa(JSON.stringify(part)).replace(/[+/=]/g, "");
    const jwt = `${encode({ alg: hostile, kid: hostile })}.${
      encode({ sub: hostile, [hostile]: hostile, iss: hostile, exp: hostile })
    }.AAAA`;
    assertEscaped(await (await tab.post("/lab/tokens/explain", { text: jwt })).text(), "token");
  });
});

describe("A malformed request to the pages of a lab", () => {
  it.inLab("gets 413 if a form is larger than 64 kB", async (lab) => {
    const tab = await openTab(lab);
    for (const { path } of labPages.filter(({ method }) => method === "POST")) {
      const response = await tab.post(`/lab${path.replace(/:\w+/, "x")}`, {
        a: "x".repeat(70_000),
      });
      assertEquals([path, response.status], [path, 413]);
    }
  });

  it.inLab("gets no 500 for a name that no header can have", needs("faults"), async (lab) => {
    const tab = await openTab(lab);
    const response = await tab.post("/lab/faults/switch", { off: "a\u{10ffff}\nb" });
    assertEquals(response.headers.get("Location"), "/lab/faults#a%F4%8F%BF%BF%0Ab");
  });

  it.inLab("gets 400 if its path is malformed", async (lab) => {
    const tab = await openTab(lab);
    for (const { path } of labPages.filter(isOpenPage)) {
      const { status } = await tab.get(`/lab${path.replace(/:\w+/, "%zz")}`);
      assertEquals([path, status], [path, 400]);
    }
  });
});

function isOpenPage({ method, path }: LabPageRoute<Lab>): boolean {
  return method === "GET" && path.includes("/:");
}

function assertEscaped(html: string, where: string): void {
  assert(!html.includes("<script>alert") && !html.includes("<img src=x"), where);
  assert(!/="[^"]*"'>/.test(html), where);
}
