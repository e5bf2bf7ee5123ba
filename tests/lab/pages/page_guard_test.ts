import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe } from "node:test";
import type { Lab } from "../../../src/lab/lab.ts";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { frontPages } from "../../../src/lab/routes/front_pages.tsx";
import { operations } from "../../../src/lab/routes/operation_table.ts";
import { loadLabPages } from "../../../src/lab/routes/page_table.ts";
import type { Fields } from "../../support/flow_kit.ts";
import { itWith } from "../../support/it_with.ts";
import { type LabTab, openTab, type TabOptions } from "../../support/lab_tab.ts";
import { needs } from "../../support/where_feature.ts";
import { withAddress } from "../../support/with_address.ts";

const labPages = await loadLabPages();

const it = itWith({ inLab: () => open(), inGuardedLab: () => open({ labToken }) });

const issuer = "http://localhost:9000";
const labToken = "a-token-of-32-letters-and-digits";

const forms = labPages.filter(({ method }) => method === "POST");
const pages = labPages.filter(({ method }) => method === "GET");
const pathOf = ({ path }: { path: string }) => path.replace(/:\w+/, "some");

function open(config: Partial<LabConfig> = {}): Lab {
  return openLab({ issuer, ...config });
}

/** What a form is sent with, beside its own token, that only a hostile page would send. */
const foreign: TabOptions[] = [
  { headers: { Origin: "https://evil.example" } },
  // Another port of this machine, and a page without an origin.
  { headers: { Origin: "http://localhost:3000" } },
  { headers: { Origin: "null" } },
  { headers: { "Sec-Fetch-Site": "cross-site" } },
  { headers: { "Sec-Fetch-Site": "same-site" } },
  // A host name that was pointed here (DNS rebinding).
  { origin: "http://evil.example:9000" },
  // Listeners write an address of their own into a URL without a host.
  { headers: { Host: "" } },
];

describe("L4: each form of the lab's pages", () => {
  for (const form of forms) {
    const path = `/lab${pathOf(form)}`;

    it(`${path} takes its own token alone, from its own page`, async () => {
      await using lab = open({ labToken: form.path === "/enter" ? labToken : undefined });
      const [tab, other] = [await openTab(lab), await openTab(lab)];
      const refused: Array<[fields: Fields, options?: TabOptions]> = [
        ...foreign.map((options): [Fields, TabOptions] => [{}, options]),
        [{ form_token: "" }],
        [{ form_token: other.formToken }],
      ];
      for (const [fields, options] of refused) {
        const { status } = await tab.post(path, fields, options);
        assertEquals(status, 403, JSON.stringify([fields, options]));
      }
      const headers = { Origin: issuer, "Sec-Fetch-Site": "same-origin" };
      const { status } = await tab.post(path, { change: "pause", token: labToken }, { headers });
      assert(status !== 403, String(status));
    });
  }

  it("rejects a browser that has not entered the lab's token, unless it is public", async () => {
    await using lab = open({ labToken });
    const tab = await openTab(lab);
    for (const form of forms.filter(({ isPublic }) => !isPublic)) {
      assertEquals((await tab.post(`/lab${pathOf(form)}`, {})).status, 401, form.path);
    }
  });

  it("has no operation that would take it as JSON", () => {
    const paths = forms.map(({ path }) => path);
    const same = operations.filter(({ method, path }) => method === "POST" && paths.includes(path));
    assertEquals(same, []);
  });
});

describe("L4: each page of the lab", () => {
  const otherHosts: Record<string, TabOptions> = {
    "a host name that was pointed here": { origin: "http://evil.example:9000" },
    "an empty host": { headers: { Host: "" } },
  };
  for (const [host, options] of Object.entries(otherHosts)) {
    it(`is not shown under ${host}`, async () => {
      for (const config of [{}, { labToken }]) {
        await using lab = open(config);
        const tab = await openTab(lab);
        for (const path of ["/", "/start", ...pages.map((page) => `/lab${pathOf(page)}`)]) {
          const response = await tab.get(path, options);
          assertEquals([response.status, response.headers.has("Set-Cookie")], [403, false], path);
          await response.body?.cancel();
        }
        for (const { path } of frontPages.filter(({ takesAnyForm }) => takesAnyForm)) {
          assertEquals((await tab.post(path, { code: "x" }, options)).status, 403, path);
        }
      }
    });
  }

  it("Q7: tells a network that it guessed too often, and opens for a browser that has entered", async () => {
    await using lab = open({ labToken, now: () => 0 });
    const ask = async (path: string, headers: HeadersInit) => {
      const request = new Request(`${issuer}${path}`, {
        headers: { Accept: "text/html", ...headers },
      });
      const response = await lab.fetch(withAddress(request, "192.0.2.66"));
      return { status: response.status, html: response.body ? await response.text() : "" };
    };
    for (let n = 0; n < 60; n++) await ask("/lab/flows", { Authorization: `Bearer wrong ${n}` });
    for (const path of ["/", "/lab/flows", "/lab/rules", "/lab/no-such-page"]) {
      const { status, html } = await ask(path, { Authorization: `Bearer ${labToken}` });
      assertEquals(status, 429, path);
      assertMatch(html, /id="problem"[^>]*>[^<]*try again in a minute/);
    }
    const tab = await openTab(lab);
    await tab.post("/lab/enter", { token: labToken }, { headers: { Origin: issuer } });
    const response = await tab.get("/lab/flows");
    assertEquals([response.status, /id="problem"/.test(await response.text())], [200, false]);
  });

  it.inLab("Q7: says that it failed, if it cannot be shown", async (lab) => {
    lab.flows = () => {
      throw new Error("broken");
    };
    const tab = await openTab(lab);
    const response = await tab.get("/lab/rules");
    assertEquals(response.status, 500);
    assertMatch(await response.text(), /id="problem"/);
  });

  it.inGuardedLab("asks for the lab's token, unless it is public", async (lab) => {
    const tab = await openTab(lab);
    for (const page of pages) {
      const path = `/lab${pathOf(page)}`;
      const response = await tab.get(path);
      assertEquals(response.status === 401, !page.isPublic, path);
      // A stream of events has no end.
      if (page.isPublic) await response.body?.cancel();
      else assertMatch(await response.text(), /action="\/lab\/enter"/);
    }
  });
});

describe("L4: the lab's token in a browser", () => {
  const enter = (tab: LabTab, token: string, back = "/lab/flows") =>
    tab.post("/lab/enter", { token, back });

  it.inGuardedLab("is entered once, and leads back to the page", async (lab) => {
    const tab = await openTab(lab);
    const response = await enter(tab, labToken);
    assertEquals([response.status, response.headers.get("Location")], [303, "/lab/flows"]);
    assertEquals((await tab.get("/lab/flows")).status, 200);
  });

  it("is not in the cookie, and the cookie is worth nothing in another browser", async () => {
    await using lab = open({ labToken });
    const [tab, other] = [await openTab(lab), await openTab(lab)];
    await enter(tab, labToken);
    assert(![...tab.cookies.values()].join().includes(labToken));
    for (const [name, value] of tab.cookies) {
      if (name.endsWith("lab-access")) other.cookies.set(name, value);
    }
    assertEquals((await other.get("/lab/flows")).status, 401);
  });

  it.inGuardedLab("is in cookies that no script and no other site can use", async (lab) => {
    const tab = await openTab(lab);
    const response = await enter(tab, labToken);
    const setCookies = [...tab.received, ...response.headers.getSetCookie()];
    assert(setCookies.length > 0);
    for (const cookie of setCookies) assertMatch(cookie, /; HttpOnly; SameSite=Strict/);
  });

  it.inGuardedLab("stays unknown to the interface in JSON, which takes no cookie", async (lab) => {
    const tab = await openTab(lab);
    await enter(tab, labToken);
    for (const path of ["/lab/clock", "/lab/flows", "/lab/events"]) {
      const response = await tab.get(path, { headers: { Accept: "application/json" } });
      assertEquals(response.status, 401, path);
    }
  });

  it("limits a network that tries wrong tokens", async () => {
    await using lab = openLab({ issuer, labToken, now: () => 0 });
    const tab = await openTab(lab, (request) => withAddress(request, "192.0.2.66"));
    for (let n = 0; n < 60; n++) assertEquals((await enter(tab, `wrong ${n}`)).status, 401);
    assertEquals((await enter(tab, labToken)).status, 429);
  });

  const elsewhere = ["https://evil.example/", "//evil.example", "/lab/\\evil", "/other"];
  for (const back of [...elsewhere, "/lab/flows\n", "/lab/\0", "/lab/Ω"]) {
    it.inGuardedLab(`leads to our pages only, not to ${JSON.stringify(back)}`, async (lab) => {
      const response = await enter(await openTab(lab), labToken, back);
      assertEquals(response.headers.get("Location"), "/");
    });
  }

  it.inGuardedLab("can come in a header as well, for programs that want the page", async (lab) => {
    const tab = await openTab(lab);
    const headers = { Authorization: `Bearer ${labToken}` };
    assertEquals((await tab.get("/lab/flows", { headers })).status, 200);
  });
});

describe("The lab's pages", () => {
  it.inLab("are at the URLs of the JSON interface, which programs get", async (lab) => {
    const tab = await openTab(lab);
    const page = await tab.get("/lab/flows");
    const data = await tab.get("/lab/flows", { headers: { Accept: "*/*" } });
    assertMatch(page.headers.get("Content-Type") ?? "", /html/);
    assertMatch(data.headers.get("Content-Type") ?? "", /json/);
  });

  it("are on the lab's own port, if it has one, and nowhere else", async () => {
    await using lab = open({ controlApart: true });
    const request = (port: number) =>
      new Request(`http://localhost:${port}/lab/flows`, { headers: { Accept: "text/html" } });
    assertEquals((await lab.fetch(request(9000))).status, 404);
    const page = await lab.control.fetch(request(9001));
    const html = await page.text();
    assertEquals(page.status, 200);
    assertMatch(html, /href="http:\/\/localhost:9000\/"[^>]*>Home/);
    const [, style = ""] = /href="([^"]*style[^"]*)"/.exec(html) ?? [];
    assertEquals(
      (await lab.control.fetch(new Request(`http://localhost:9001${style}`))).status,
      200,
    );
  });

  it("take the forms of the lab's own port", async () => {
    await using lab = open({ controlApart: true });
    const own = "http://localhost:9001";
    const tab = await openTab(lab, undefined, (request) => lab.control.fetch(request));
    const fields = { change: "pause", back: "/lab/flows" };
    const headers = { Origin: own, "Sec-Fetch-Site": "same-origin" };
    assertEquals((await tab.post("/lab/clock/move", fields, { origin: own, headers })).status, 303);
    assertEquals(lab.clock.frozen, true);
  });

  it.inLab("belong to each tenant as well", async (lab) => {
    const tenant = await lab.tenant({ id: "acme" });
    const tab = await openTab(lab);
    const html = await (await tab.get("/t/acme/lab/flows")).text();
    assertMatch(html, /action="\/t\/acme\/lab\/clock\/move"/);
    const response = await tab.post("/t/acme/lab/clock/move", { change: "pause" });
    assertEquals(response.status, 403, "the token of the lab is not that of its tenant");
    assertEquals(tenant.clock.frozen, false);
  });

  it.inLab("run our scripts only, and fetch from us only where they are live", async (lab) => {
    const tab = await openTab(lab);
    const policyOf = async (path: string) =>
      (await tab.get(path)).headers.get("Content-Security-Policy") ?? "";
    assertMatch(await policyOf("/lab/flows"), /default-src 'none'.*connect-src 'self'/);
    // Its list follows what is typed.
    assertMatch(await policyOf("/lab/api"), /connect-src 'self'/);
    assertNotMatch(await policyOf("/lab/nothing"), /connect-src|unsafe|form-action/);
  });

  it("leave the cookie alone if a link of another site led here, and load again", async () => {
    await using lab = open();
    const headers = { "Sec-Fetch-Site": "cross-site", Accept: "text/html" };
    const response = await lab.fetch(new Request(`${issuer}/lab/flows`, { headers }));
    assertEquals(response.headers.getSetCookie(), []);
    assertMatch(await response.text(), /<body[^>]* data-load-again/);
    const tab = await openTab(lab);
    const html = await (await tab.get("/lab/flows", { headers })).text();
    assertNotMatch(html, /data-load-again/);
  });

  it.inLab("return from the clock to a page that can be opened", needs("faults"), async (lab) => {
    const tab = await openTab(lab);
    assertMatch(await tab.html("/lab/faults?q=a"), /name="back" value="\/lab\/faults\?q=a"/);
    const minted = await tab.post("/lab/call/mint-token", { sub: "alice" });
    assertMatch(await minted.text(), /name="back" value="\/lab\/tokens"/);
  });

  it.inLab("begin at /lab, which leads to the home page", async (lab) => {
    for (const path of ["/lab", "/lab/"]) {
      const response = await (await openTab(lab)).get(path);
      assertEquals(response.headers.get("Location"), "/", path);
    }
  });

  it.inLab("explain an unknown path to a browser, and lead home and to the flows", async (lab) => {
    const missing = [
      ["/lab/nothing", "This URL does not exist"],
      ["/lab/flows/flow-99", "There is no flow 'flow-99', or it was deleted"],
    ] as const;
    for (const [path, title] of missing) {
      const response = await (await openTab(lab)).get(path);
      assertEquals(response.status, 404);
      const [, main = ""] = (await response.text()).split("<main");
      const [, ways = ""] = main.split(`<h1>${title}</h1>`);
      assertMatch(ways, /^(?!.*alert).* href="\/">Home<.* href="\/lab\/flows">All flows</);
    }
  });

  it("do not exist in a server that is no lab", async () => {
    const { createServer } = await import("../../../src/server/features.ts");
    const server = createServer({ issuer: "https://hallpass.test" });
    for (const page of [...labPages, ...operations]) {
      const { method } = page;
      const request = new Request(`https://hallpass.test/lab${pathOf(page)}`, { method });
      assertEquals((await server.fetch(request)).status, 404);
    }
    await server.close();
  });

  it("U6: have a page at the address of each form, which a reload asks for with GET", async () => {
    await using lab = openLab({ issuer });
    const tab = await openTab(lab);
    await lab.fetch(new Request(`${issuer}/oauth2/jwks`));
    for (const { path } of forms) {
      const response = await tab.get(`/lab${path.replace(":name", "clock").replace(/:\w+/, "1")}`);
      const { pathname } = new URL(response.headers.get("Location") ?? "/lab", issuer);
      assert([200, 302, 303].includes(response.status), `${path}: ${response.status}`);
      if (response.status !== 200) {
        assert((await tab.get(pathname)).status < 400, `${path}: ${pathname}`);
      }
    }
  });
});
