import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { createCookies } from "../../../../src/lab/browser/stored_cookies.ts";
import {
  type ApplicationBrowser,
  createApplicationBrowser,
} from "../../../../src/lab/features/drill/application_browser.ts";
import { LabError } from "../../../../src/lab/testing/mod.ts";
import { formsWithoutInput } from "../../../../src/lab/util/html_forms.ts";

const now = Date.UTC(2026, 0, 1);

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
  ["includes pages below the path", "a=b; Path=/app", "http://localhost:3000/app/x", "old=1; a=b"],
  ["takes the folder as the default path", "a=b", "http://localhost:3000/app", "old=1; a=b"],
  ["replaces a cookie", "old=2; Path=/", "http://localhost:3000/", "old=2"],
  ["removes a cookie by Max-Age", "old=; Path=/; Max-Age=0", "http://localhost:3000/"],
  [
    "removes a cookie by Expires",
    "old=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
    "http://localhost:3000/",
  ],
  ["ignores a cookie without a name", "=b; Path=/", "http://localhost:3000/", "old=1"],
];

describe("The cookies of a drill", () => {
  for (const [what, setCookie, url, header] of cookieCases) {
    it(what, () => assertEquals(cookieHeader(setCookie, url), header));
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
  ["but not one that asks for something", `<form method="post"><input name="q"></form>`, undefined],
  ["but not a search", `<form action="/search"><button>Go</button></form>`, undefined],
];

describe("A drill finds a form", () => {
  for (const [what, html, expected] of forms) {
    it(what, () => {
      const [form] = formsWithoutInput(html, "http://localhost:3000/start");
      assertEquals(form && [new URL(form.action).pathname, form.fields], expected);
    });
  }
});

function browserOf(respond: (request: Request) => Promise<Response>): ApplicationBrowser {
  return createApplicationBrowser({
    fetch: (url, { method, headers, body }) =>
      respond(new Request(url, { method, headers, body: body ?? null })),
    now: () => now,
    isLab: ({ hostname }) => hostname === "lab.example",
    isAllowed: ({ hostname }) => hostname === "localhost",
    timeout: 5,
  });
}

const page = "http://localhost:3000/page";

describe("The browser of a drill", () => {
  it("gives up on a response that does not come", async () => {
    const browser = browserOf(() => new Promise(() => {}));
    await assertRejects(() => browser.open(`${page}?secret=1`), LabError, "page did not respond");
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

  it("stops at the lab, and sends it nothing", async () => {
    const location = "https://lab.example/oauth2/authorize?x=1";
    const headers = { Location: location };
    const browser = browserOf(() => Promise.resolve(new Response(null, { status: 302, headers })));
    assertEquals((await browser.open(page)).labUrl, location);
  });
});
