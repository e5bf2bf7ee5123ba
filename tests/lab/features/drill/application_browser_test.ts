import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { createCookies } from "../../../../src/lab/browser/stored_cookies.ts";
import { createApplicationBrowser } from "../../../../src/lab/features/drill/application_browser.ts";
import { findLogin } from "../../../../src/lab/features/drill/application_login.ts";
import type { DrillBrowser } from "../../../../src/lab/features/drill/drill_browser.ts";
import { buttonsIn } from "../../../../src/lab/features/drill/foreign_html.ts";
import { createResponseTimes } from "../../../../src/lab/features/verdicts/response_times.ts";
import { LabError } from "../../../../src/lab/testing/mod.ts";

const now = Date.UTC(2026, 0, 1);
const page = "http://localhost:3000/page";

function cookieHeader(setCookie: string, url: string): string | undefined {
  const cookies = createCookies(() => now);
  cookies.store("http://localhost:3000/app/login", new Headers({ "Set-Cookie": "old=1; Path=/" }));
  cookies.store("http://localhost:3000/app/login", new Headers({ "Set-Cookie": setCookie }));
  return cookies.headerFor(url);
}

const cookieCases: Array<[what: string, setCookie: string, url: string, header?: string]> = [
  ["sends a cookie to its host", "a=b=c; Path=/", "http://localhost:3000/", "old=1; a=b=c"],
  ["ignores the port, as browsers do", "a=b; Path=/", "http://localhost:4000/", "old=1; a=b"],
  ["sends nothing to another host", "a=b; Path=/", "http://127.0.0.1:3000/"],
  ["respects the path", "a=b; Path=/app", "http://localhost:3000/application", "old=1"],
  ["includes pages below the path", "a=b; Path=/app", "http://localhost:3000/app/x", "a=b; old=1"],
  ["takes the folder as the default path", "a=b", "http://localhost:3000/app", "a=b; old=1"],
  ["replaces a cookie", "old=2; Path=/", "http://localhost:3000/", "old=2"],
  ["removes a cookie by Max-Age", "old=; Path=/; Max-Age=0", "http://localhost:3000/"],
  [
    "removes a cookie by Expires",
    "old=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
    "http://localhost:3000/",
  ],
  [
    "ignores a cookie of another domain",
    "a=b; Domain=other.example",
    "http://localhost:3000/",
    "old=1",
  ],
  [
    "ignores what no browser stores",
    `a=${"b".repeat(4096)}`,
    "http://localhost:3000/app/",
    "old=1",
  ],
  ["ignores a cookie without a name", "=b; Path=/", "http://localhost:3000/", "old=1"],
];

describe("The cookies of a drill", () => {
  for (const [what, setCookie, url, header] of cookieCases) {
    it(what, () => assertEquals(cookieHeader(setCookie, url), header));
  }

  it("go to the hosts of their domain", () => {
    const cookies = createCookies(() => now);
    const headers = new Headers({ "Set-Cookie": "a=b; Domain=.app.example; Path=/" });
    cookies.store("https://www.app.example/", headers);
    assertEquals(cookies.headerFor("https://api.app.example/"), "a=b");
    assertEquals(cookies.headerFor("https://other.example/"), undefined);
  });

  it("end when they expire", () => {
    let time = now;
    const cookies = createCookies(() => time);
    cookies.store("http://localhost/", new Headers({ "Set-Cookie": "a=b; Max-Age=60" }));
    time += 59_000;
    assertEquals(cookies.headerFor("http://localhost/"), "a=b");
    time += 1_000;
    assertEquals(cookies.headerFor("http://localhost/"), undefined);
  });

  const sites: Array<[from: string, method: string, sent: string]> = [
    ["http://localhost:9000/", "POST", "strict lax none unset"],
    ["https://issuer.example/", "GET", "lax none unset"],
    // Without SameSite, a young cookie goes along with a POST; a browser forgets that in two minutes.
    ["https://issuer.example/", "POST", "none unset"],
  ];
  for (const [from, method, sent] of sites) {
    it(`come along with ${method} from ${from} by their SameSite`, () => {
      const cookies = createCookies(() => now);
      const set = [
        "strict=; SameSite=Strict",
        "lax=; SameSite=Lax",
        "none=; SameSite=None",
        "unset=",
      ];
      for (const cookie of set) cookies.store(page, new Headers({ "Set-Cookie": cookie }));
      const header = cookies.headerFor(page, { method, from }) ?? "";
      assertEquals(header.replaceAll("=", "").replaceAll(";", ""), sent);
    });
  }

  it("are sent without encryption on this machine only, if they are secure", () => {
    const cookies = createCookies(() => now);
    cookies.store("https://app.example/", new Headers({ "Set-Cookie": "a=b; Secure" }));
    assertEquals(cookies.headerFor("https://app.example/"), "a=b");
    assertEquals(cookies.headerFor("http://app.example/"), undefined);
  });
});

const forms: Array<[what: string, html: string, expected: unknown]> = [
  ["with one button", `<form method=post action="/in"><button>Go</button></form>`, ["/in", []]],
  [
    "with hidden fields and the value of the button",
    `<form action='/in' method="POST"><input type="hidden" name="c" value="&lt;1&gt;">
      <button name="p" value="lab">Go</button></form>`,
    ["/in", [["c", "<1>"], ["p", "lab"]]],
  ],
  [
    "with the entry of a list that is selected, or the first one",
    `<form method=post action="/in"><select name=a><option value=1>One<option>Two</select>
      <select name=b><option>1<option selected>2</option></select><button>Go</button></form>`,
    ["/in", [["a", "1"], ["b", "2"]]],
  ],
  [
    "with the text of an entry as it is shown, and without one that is disabled",
    `<form method=post action="/in"><select name=a><option disabled selected>Choose</option><option>
      One  &amp; two </option></select><button>Go</button></form>`,
    ["/in", [["a", "One & two"]]],
  ],
  [
    "but not one that asks for something with proposals",
    `<form method=post><input name=q list=l><datalist id=l><option value=1></datalist></form>`,
    undefined,
  ],
  ["but not one that asks for something", `<form method="post"><input name="q"></form>`, undefined],
  ["of GET, with its fields", `<form action="/search"><button name=a>Go</button></form>`, [
    "/search",
    [[
      "a",
      "",
    ]],
  ]],
];

describe("A drill finds a form", () => {
  for (const [what, html, expected] of forms) {
    it(what, () => {
      const [button] = buttonsIn(html, "http://localhost:3000/start");
      assertEquals(button && [new URL(button.url).pathname, button.fields], expected);
    });
  }
});

describe("A drill finds what leads to the lab", () => {
  const [home, lab] = ["http://localhost:3000/", "http://lab.example/authorize?client_id=a"];

  function siteOf(pages: Record<string, string>): DrillBrowser {
    return browserOf(({ url }) => {
      const { [new URL(url).pathname]: html } = pages;
      const headers = { "Content-Type": "text/html" };
      if (html === "lab") return Promise.resolve(Response.redirect(lab));
      return Promise.resolve(new Response(html ?? null, { status: html ? 200 : 404, headers }));
    });
  }

  for (const link of ["Anmelden", "Se connecter", "Iniciar sesión", "Iniciar sessão", "Accedi"]) {
    it(`behind a link that says '${link}'`, async () => {
      const html = `<a href="/k">Konto</a><a href="/e">${link}</a>`;
      const { start } = await findLogin(siteOf({ "/": html, "/e": "lab", "/k": "lab" }), home, []);
      assertEquals(start, `${home}e`);
    });
  }

  it("where its redirect URI is, if nothing is at the root", async () => {
    const uri = `${home}shop/login/lab/callback`;
    const { start } = await findLogin(siteOf({ "/shop/login/lab": "lab" }), home, [uri]);
    assertEquals(start, `${home}shop/login/lab`);
  });

  for (const path of ["/other.example/shop/cb", "account/delete/cb"]) {
    it(`but not below ${path}, which is elsewhere or changes something`, async () => {
      const site = siteOf({ "/shop": "lab", "/account/delete": "lab" });
      const { labUrl } = await findLogin(site, home, [`${home}${path}`]);
      assertEquals(labUrl, undefined);
    });
  }

  it("but presses nothing that changes something in another language", async () => {
    const html = `<form method=post action="/weg"><button>Konto löschen</button></form>` +
      `<form method=post action="/aus"><button>Déconnexion</button></form>`;
    const { labUrl } = await findLogin(
      siteOf({ "/": html, "/weg": "lab", "/aus": "lab" }),
      home,
      [],
    );
    assertEquals(labUrl, undefined);
  });
});

function browserOf(respond: (request: Request) => Promise<Response>): DrillBrowser {
  return createApplicationBrowser({
    fetch: (url, { method, headers, body }) =>
      respond(new Request(url, { method, headers, body: body ?? null })),
    openLab: () => ({
      authorize: () => Promise.reject(new Error("no lab")),
      signOut: () => Promise.reject(new Error("no lab")),
    }),
    now: () => now,
    isLab: ({ hostname }) => hostname === "lab.example",
    isAllowed: ({ hostname }) => hostname === "localhost",
    times: { add: () => {}, limit: () => 5 },
  });
}

describe("The browser of a drill", () => {
  it("gives up on a response that does not come", async () => {
    const browser = browserOf(() => new Promise(() => {}));
    await assertRejects(() => browser.open(`${page}?secret=1`), LabError, "page did not respond");
  });

  it("waits ten times as long as the slowest response of the first three logins", () => {
    const times = createResponseTimes();
    assertEquals(times.limit(), 10_000);
    for (const duration of [900, 2000, 1500, 7000]) {
      times.begin();
      times.add(duration);
    }
    assertEquals(times.limit(), 20_000);
    assertEquals(createResponseTimes(30).limit(), 30_000);
  });

  it("gives up on a page that is too large", async () => {
    const browser = browserOf(() => Promise.resolve(new Response("x".repeat(2 * 1024 * 1024))));
    await assertRejects(() => browser.open(page), LabError, "larger than 1 MB");
  });

  it("U4: says in words of ours why an application cannot be reached", async () => {
    const browser = browserOf(() => Promise.reject(new TypeError("connection refused")));
    await assertRejects(() => browser.open(page), LabError, "nothing is listening on that port");
  });

  it("turns POST into GET after a redirect, unless the status keeps the method", async () => {
    for (const [status, method] of [[302, "GET"], [303, "GET"], [307, "POST"], [308, "POST"]]) {
      const methods: string[] = [];
      const browser = browserOf((request) => {
        methods.push(request.method);
        const isFirst = methods.length === 1;
        const headers = { Location: "/next" };
        return Promise.resolve(
          isFirst ? new Response(null, { status: Number(status), headers }) : new Response("end"),
        );
      });
      await browser.send(page, [["a", "b"]]);
      assertEquals(methods, ["POST", String(method)]);
    }
  });

  it("follows a page that leads on at once, as Refresh and its element do", async () => {
    const pages: Record<string, Response> = {
      "/page": new Response(null, { headers: { Refresh: "0; url=/second" } }),
      "/second": new Response(`<meta http-equiv="refresh" content="0;URL='/third'">`),
      "/third": new Response("end"),
    };
    const browser = browserOf(async ({ url }) => pages[new URL(url).pathname] ?? new Response());
    const { url, way } = await browser.open(page);
    assertEquals([url, way.length], ["http://localhost:3000/third", 3]);
  });

  it("says that a user opens its pages (Fetch Metadata)", async () => {
    let mode: string | null = null;
    const browser = browserOf(async ({ headers }) => {
      mode = headers.get("Sec-Fetch-Mode");
      return new Response();
    });
    await browser.open(page);
    assertEquals(mode, "navigate");
  });

  it("stops at another origin, and sends it nothing", async () => {
    const headers = { Location: "https://other.example/" };
    const browser = browserOf(async () => new Response(null, { status: 302, headers }));
    assertEquals((await browser.open(page)).outsideUrl, "https://other.example/");
  });

  it("stops at the lab, and sends it nothing", async () => {
    const location = "https://lab.example/oauth2/authorize?x=1";
    const headers = { Location: location };
    const browser = browserOf(() => Promise.resolve(new Response(null, { status: 302, headers })));
    assertEquals((await browser.open(page)).labUrl, location);
  });
});
