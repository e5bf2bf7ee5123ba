import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FaultName,
  hallpass,
  LabError,
  type TestLab,
} from "../../../../src/lab/testing/mod.ts";
import {
  type Application,
  type Carefulness,
  createApplication,
  drilledClient,
  origin,
} from "../../../support/drilled_application.ts";
import { callLab } from "../../../support/lab_call.ts";

/** Returns the page of a path for someone who is signed in, or not; undefined: there is none. */
type Pages = (path: string, isSignedIn: boolean, visits: number) => string | number | undefined;

const attacks: FaultName[] = ["callback.wrong_state", "callback.denied"];

interface OpenedLab {
  lab: TestLab;
  visited: string[];
}

/** Opens a lab that reaches an application with some open pages. */
async function openLab(pages: Pages, carefulness: Carefulness = "careful"): Promise<OpenedLab> {
  const visited: string[] = [];
  const parts: { application?: Application } = {};
  const lab = await hallpass({
    alg: "EdDSA",
    async fetch(url, { method, headers, body }) {
      visited.push(new URL(url).pathname);
      const application = parts.application ?? (() => Promise.resolve(new Response()));
      const { status } = await application(new Request(`${origin}/`, { headers }));
      const shown = pages(new URL(url).pathname, status === 200, visited.length);
      if (shown === undefined) {
        return await application(new Request(url, { method, headers, body: body ?? null }));
      }
      return typeof shown === "number"
        ? new Response(null, { status: shown })
        : new Response(shown, { headers: { "Content-Type": "text/html" } });
    },
  });
  lab.clients.put(drilledClient());
  parts.application = createApplication(lab, carefulness);
  return { lab, visited };
}

const signIn = "<a href=/login>Sign in</a>";

/** An open home page that greets its user. */
const greeting: Pages = (path, isSignedIn) =>
  path !== "/" ? undefined : isSignedIn ? "<p>Hello alice. <a href=/logout>Sign out</a>" : signIn;

/** The same, with a time and a number that differ at each visit. */
const changing: Pages = (path, isSignedIn, visits) => {
  const page = greeting(path, isSignedIn, visits);
  return page && `<p>Visitor ${visits}, at 10:0${Math.floor(visits / 4)}.</p>${page}`;
};

/** A home page that is the same for everyone, with links to others. */
function withLinks(links: string, account: number | string): Pages {
  return (path, isSignedIn) => {
    if (path === "/") return `${signIn} ${links}`;
    if (path === "/account") return isSignedIn ? "<p>Your account" : account;
    return undefined;
  };
}

const links = "<a href=/logout>Leave</a> <a href=/sign-out>x</a> <a href='/end'>Log out</a> " +
  "<a href='/cart?add=1'>Buy</a> <a href=https://other.example/account>Other</a> " +
  "<a href=/account>Account</a>";

/** What tells whether a login worked, with the check URL. */
const ways: Array<[what: string, pages: Pages, start: string, check: string]> = [
  ["an open home page that greets its user", greeting, "/", "/"],
  ["the same, behind a start URL that always begins a login", greeting, "/login", "/"],
  ["a page whose other parts change at each visit", changing, "/login", "/"],
  ["a link to a page that responds with 401", withLinks(links, 401), "/login", "/account"],
  ["a link to a page that differs", withLinks(links, "<p>Nothing"), "/", "/account"],
];

describe("A drill without a check URL takes", () => {
  for (const [what, pages, start, check] of ways) {
    for (const carefulness of ["careful", "careless"] as const) {
      it(`${what}, of a ${carefulness} application`, async () => {
        const { lab, visited } = await openLab(pages, carefulness);
        const { accepted, wronglyRefused } = await lab.drill({ start: origin + start }, [
          ...attacks,
          "token.without_scope",
          "token.lost",
        ]);
        const wrong = carefulness === "careful" ? [] : ["callback.wrong_state"];
        assertEquals([accepted.map(({ fault }) => fault), wronglyRefused], [wrong, []]);
        assertEquals((await callLab(lab, "GET /drill")).json.check, origin + check);
        const kept = ["/logout", "/sign-out", "/end", "/cart"];
        assertEquals(visited.filter((path) => kept.includes(path)), []);
        await lab.close();
      });
    }
  }
});

describe("A drill with an open page as its check URL", () => {
  it("works if the page shows who is signed in", async () => {
    const { lab } = await openLab(greeting, "careless");
    const application = { start: `${origin}/login`, check: `${origin}/` };
    const { accepted, refused } = await lab.drill(application, attacks);
    assertEquals([accepted.length, refused], [1, ["callback.denied"]]);
    await lab.close();
  });

  it("says that it cannot tell whether the login worked if the page is the same", async () => {
    const { lab } = await openLab(() => undefined);
    const application = { start: `${origin}/login`, check: `${origin}/public` };
    const { message } = await assertRejects(() => lab.drill(application, attacks), LabError);
    assertStringIncludes(
      message,
      "Cannot tell whether the login worked: http://localhost:3000/public opens without a login, " +
        "and shows the same then.",
    );
    assertStringIncludes(message, "Best: a page that needs a login, such as");
    assertStringIncludes(message, "--check");
    await lab.close();
  });
});

describe("A drill that finds no page with a user", () => {
  it("says so, and not that the login fails", async () => {
    const { lab } = await openLab(withLinks("", 200));
    const { json } = await callLab(lab, "POST /drill", { start: `${origin}/login` });
    assertStringIncludes(json.error_description, "Cannot tell whether the login worked: ");
    assertEquals((await callLab(lab, "GET /drill")).json.field, "check");
    await lab.close();
  });
});

/** Pages of applications that only scripts fill, and some that have words of their own. */
const emptyPages: Array<[what: string, page: string, isMadeByScripts: boolean]> = [
  [
    "Vite's",
    "<!doctype html><head><title>App</title><script type=module src=/main.js></script></head>" +
    "<body><div id=root></div></body>",
    true,
  ],
  [
    "one with a text for browsers without scripts",
    "<body><noscript>Please enable JavaScript.</noscript><app-root></app-root>" +
    "<script src=/main.js></script>",
    true,
  ],
  ["one with a text", "<p>Welcome</p><script src=/main.js></script>", false],
  ["an empty one without scripts", "<body></body>", false],
];

describe("A drill without a browser that runs scripts", () => {
  for (const [what, page, isMadeByScripts] of emptyPages) {
    const verb = isMadeByScripts ? "asks" : "does not ask";
    it(`${verb} for one at a page of an application: ${what}`, async () => {
      const { lab } = await openLab(() => page);
      const { message } = await assertRejects(() => lab.drill({ start: `${origin}/` }), LabError);
      assertEquals(message.includes("is made by scripts, which this drill"), isMadeByScripts);
      await lab.close();
    });
  }
});
