import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe } from "node:test";
import type { Lab } from "../../../src/lab/lab.ts";
import { chromium, type Tab } from "../../support/chromium.ts";
import { inBrowser, until } from "../../support/in_browser.ts";
import { itWith } from "../../support/it_with.ts";
import { flowCode } from "../../support/lab_flow.ts";
import { lookAt } from "../../support/page_quality.ts";
import { hasFeature } from "../../support/where_feature.ts";
import { sendJson } from "./send_json.ts";

const skip = chromium ? false : "this machine has no Chromium";

type OnPage = (tab: Tab, lab: Lab) => Promise<void>;

/** Opens a lab, and a browser at one of its pages. */
async function atPage(path: string, act: OnPage, labToken?: string): Promise<void> {
  await inBrowser({ labToken }, async (tab, issuer, lab) => {
    await tab.goto(issuer + path);
    await act(tab, lab);
    assertEquals(tab.complaints, []);
    await tab.goto("about:blank");
  });
}

const textOf = (selector: string) => `document.querySelector("${selector}").textContent`;

const it = itWith({ atFaults: { skip, around: (act: OnPage) => atPage("/lab/faults", act) } });

describe("A page of the lab in a browser", () => {
  it.atFaults("sends its forms, which the guard accepts from a real browser", async (tab, lab) => {
    await tab.type("#client", "demo-spa");
    await tab.click("[value='token.slow']");
    assertEquals(lab.faults.list().map(({ name, client }) => [name, client]), [
      ["token.slow", "demo-spa"],
    ]);
    assertMatch(await tab.url(), /\/lab\/faults#often-token\.slow$/);
    await tab.click("#active-faults [name=remove]");
    assertEquals(lab.faults.list(), []);
  });

  it.atFaults("shows what strikes while it is open, and keeps what is typed", async (tab, lab) => {
    await until(tab, "document.querySelector('#connection').dataset.state === 'open'");
    await tab.evaluate("document.querySelector('#fault-scope').open = true");
    await tab.evaluate("document.querySelector('#client').focus()");
    await tab.type("#client", "half a na");
    lab.fault("jwks.server_error");
    await lab.fetch(new Request(`${lab.issuer}/oauth2/jwks`));
    await until(tab, `${textOf("#strikes")}.includes("jwks.server_error")`);
    assertEquals(await tab.evaluate("document.querySelector('#client').value"), "half a na");
    assertEquals(await tab.evaluate("document.activeElement.id"), "client");
  });

  it("loads itself if it cannot follow a choice, but not in place of another page", {
    skip,
  }, async () => {
    const choose = `document.querySelector("#library")
      .dispatchEvent(new InputEvent("input", { bubbles: true }))`;
    await atPage("/", async (tab) => {
      await tab.evaluate(`fetch = () => Promise.reject(new TypeError("Ended by the browser"))`);
      // A browser may end the requests of a page as soon as a link is followed.
      await tab.evaluate(`dispatchEvent(new Event("beforeunload")), ${choose}`);
      await tab.evaluate("new Promise((resolve) => setTimeout(resolve))");
      assertEquals(await tab.evaluate("String(fetch).includes('Ended')"), true);
      await tab.evaluate("isLeaving = false");
      await tab.evaluate(choose);
      await until(tab, "!String(fetch).includes('Ended')");
    });
  });

  it("follows the clock, and moves it", { skip }, async () => {
    await atPage("/lab/users", async (tab, lab) => {
      await until(tab, "document.querySelector('#connection').dataset.state === 'open'");
      lab.clock.freeze();
      lab.clock.set("2030-01-01T00:00:00Z");
      await until(tab, `${textOf("#clock .date")} === "2030-01-01"`);
      assertEquals(await tab.evaluate(textOf("#clock-form [value=run]")), "Run");
      await tab.click("[value='+1d']");
      assertEquals(new Date(lab.clock.now()).toISOString().slice(0, 10), "2030-01-02");
      assertMatch(await tab.url(), /\/lab\/users$/);
    });
  });

  it.atFaults(
    "finds faults as one types, and keeps the search at each switch",
    async (tab, lab) => {
      await tab.evaluate(`(() => {
      const search = document.querySelector("#q");
      search.value = "wrong nonce";
      search.dispatchEvent(new Event("input", { bubbles: true }));
    })()`);
      const shown = "[...document.querySelectorAll('.switches li')].map(({ id }) => id).join()";
      await until(tab, `${shown} === "id_token.wrong_nonce"`);
      const groups =
        "[...document.querySelectorAll('#fault-catalogue .group')].map(({ open }) => open).join()";
      assertEquals(await tab.evaluate(groups), "true");
      await tab.click("[value='id_token.wrong_nonce']");
      assertEquals(lab.faults.list().map(({ name }) => name), ["id_token.wrong_nonce"]);
      assertMatch(await tab.url(), /\/lab\/faults\?q=wrong\+nonce#id_token\.wrong_nonce$/);
      assertEquals(await tab.evaluate(shown), "id_token.wrong_nonce");
    },
  );

  it.atFaults(
    "has first on a narrow page folded options, then what can be turned on, then what is on",
    async (tab, lab) => {
      lab.fault("jwks.server_error");
      await lookAt(tab, { width: 360, theme: "light" });
      await tab.goto(`${lab.issuer}/lab/faults`);
      const parts = ["filter", "fault-scope", "fault-catalogue", "active-faults", "strikes"];
      const top = (id: string) => `document.getElementById("${id}").getBoundingClientRect().top`;
      const tops = await tab.evaluate<number[]>(`[${parts.map(top)}]`);
      assertEquals(tops, [...tops].sort((one, other) => one - other));
      assertEquals(await tab.evaluate("document.querySelector('#fault-scope').open"), false);
    },
  );

  it("copies, says what, and announces it", { skip }, async () => {
    await atPage("/lab/call/mint-token", async (tab) => {
      const label = "document.querySelector('.copy').getAttribute('aria-label')";
      assertEquals(await tab.evaluate(label), "Copy command for mint-token");
      // Without the clipboard API, as on plain http of another machine.
      await tab.evaluate(`(() => {
        Object.defineProperty(navigator, "clipboard", { value: undefined });
        document.querySelector(".copy").click();
      })()`);
      await until(tab, `${textOf("main > [role=status]")}.includes("command for mint-token")`);
    });
  });

  it.atFaults("works without scripts", async (tab, lab) => {
    await tab.send("Emulation.setScriptExecutionDisabled", { value: true });
    await tab.goto(`${lab.issuer}/lab/faults?q=nonce`);
    await tab.click("[value='id_token.wrong_nonce']");
    assertEquals(lab.faults.list().map(({ name }) => name), ["id_token.wrong_nonce"]);
  });

  it("asks for the lab's token once", { skip }, async () => {
    const token = "a-token-of-32-letters-and-digits";
    await atPage("/lab/clients", async (tab, lab) => {
      await tab.type("#token", token);
      await tab.click("main button");
      assertMatch(await tab.url(), /\/lab\/clients$/);
      await tab.goto(`${lab.issuer}/lab/users`);
      assertEquals(await tab.evaluate(textOf("h1")), "Users");
      assert(!(await tab.evaluate<string>("document.cookie")).includes("lab"));
      tab.complaints.length = 0;
    }, token);
  });
});

/** Returns the boxes of what a selector finds, rounded to half a pixel. */
const boxesOf = (selector: string, ...sides: string[]) =>
  `[...document.querySelectorAll("${selector}")].filter((each) => each.offsetHeight > 0)
    .map((each) => ${JSON.stringify(sides)}.map((side) =>
      Math.round(each.getBoundingClientRect()[side] * 2) / 2).join())`;

/** Opens pages at a width, in a lab whose lists have rows with long names. */
async function lookAtPages(
  width: number,
  paths: readonly string[],
  look: (tab: Tab, path: string) => Promise<void>,
): Promise<void> {
  await inBrowser({}, async (tab, issuer, lab) => {
    await leaveRows(lab);
    await lookAt(tab, { width, theme: "light" });
    for (const path of paths) {
      await tab.goto(issuer + path);
      await look(tab, path);
    }
  });
}

async function leaveRows(lab: Lab): Promise<void> {
  const client_id = "web-application-of-finance";
  const redirect_uri = `${lab.issuer}/authorized`;
  lab.clients.put({ id: client_id, redirectUris: [redirect_uri] });
  await lab.mint({ sub: "alice", client: client_id, scope: "openid profile email read" });
  if (hasFeature("faults")) {
    for (const name of ["userinfo.slow", "userinfo.server_error"]) {
      await sendJson("POST", `${lab.issuer}/lab/faults`, { name, delay: "1ms" });
    }
  }
  await lab.fetch(new Request(`${lab.issuer}/oauth2/userinfo`));
  await flowCode(lab, { client_id, redirect_uri });
}

describe("The layout of a lab's pages, at 1280 pixels", () => {
  const open = (paths: readonly string[], look: (tab: Tab, path: string) => Promise<void>) =>
    lookAtPages(1280, paths, look);

  it(
    "keeps the bar where it is, also on a page that does not follow the lab",
    { skip },
    async () => {
      const bars: string[] = [];
      await open(["/", "/lab/setup", "/lab/api", "/lab/nothing-here"], async (tab) => {
        bars.push(
          await tab.evaluate(`${boxesOf(".topbar nav a, #issuer, #clock", "left")}.join(" ")`),
        );
      });
      assertEquals([...new Set(bars)].length, 1, bars.join("\n"));
    },
  );

  it("has the fields of a filter on one line", { skip }, async () => {
    await open(["/lab/flows"], async (tab) => {
      const boxes = boxesOf(".filter input:not([type=checkbox]), .filter select", "top", "height");
      assertEquals([...new Set(await tab.evaluate<string[]>(boxes))].length, 1);
    });
  });

  it("ends the top bar where the window ends, on a short page, too", { skip }, async () => {
    await open(["/lab/flows", "/lab/nothing-here"], async (tab) => {
      const end = "document.querySelector('header').getBoundingClientRect().right";
      assertEquals(await tab.evaluate(`document.documentElement.clientWidth - ${end}`), 0);
    });
  });

  it("has the name of a flow on one line", { skip }, async () => {
    await open(["/lab/flows"], async (tab) => {
      const heights = await tab.evaluate<string[]>(boxesOf("#flows .row-title a", "height"));
      assertEquals(heights.length, 1);
      assert(Number(heights[0]) < 30, heights[0]);
    });
  });

  it("has a form as wide as the page, and buttons of one size for all of it", {
    skip,
  }, async () => {
    await open(["/lab/users/alice"], async (tab) => {
      const widths = await tab.evaluate<string[]>(boxesOf(".page-head, #entry", "width"));
      assertEquals(new Set(widths).size, 1, widths.join());
      const buttons = "[form=entry], #entry [type=submit], #remove button";
      assertEquals(await tab.evaluate(boxesOf(buttons, "height")), ["40", "40", "40"]);
    });
  });

  it("fills both halves of the home page", { skip }, async () => {
    await open(["/"], async (tab) => {
      const ends = await tab.evaluate<string[]>(boxesOf("#connect, #builder", "bottom"));
      const [connect, builder] = ends.map(Number);
      assert(Math.abs((connect ?? 0) - (builder ?? 0)) < 100, ends.join());
    });
  });

  it("has buttons of two heights, and links", { skip }, async () => {
    const heights = new Set<string>();
    const paths = [
      "/",
      "/lab/flows",
      "/lab/tokens",
      "/lab/setup",
      "/lab/api",
      "/lab/call/put-client",
    ];
    await open([...paths, ...hasFeature("faults") ? ["/lab/faults"] : []], async (tab) => {
      await tab.evaluate(
        "document.querySelectorAll('details').forEach((each) => each.open = true)",
      );
      const found = await tab.evaluate<string[]>(boxesOf("button, .button", "height"));
      for (const height of found) heights.add(height);
    });
    assertEquals([...heights].sort(), ["28", "40"]);
  });

  it("has the rules side by side: a screen and a half, not four", { skip }, async () => {
    await open(["/lab/rules"], async (tab) => {
      assert(await tab.evaluate<number>("document.documentElement.scrollHeight") < 1300);
    });
  });
});

describe("The layout of a lab's pages, at 360 pixels", () => {
  it("has the dot of a row and its name on one line", { skip }, async () => {
    const paths = ["/lab/flows", ...hasFeature("faults") ? ["/lab/faults"] : []];
    await lookAtPages(360, paths, async (tab, path) => {
      const rows = await tab.evaluate<string[]>(`[...document.querySelectorAll(".row")]
        .map((row) => [".dot", ".row-title"].map((each) =>
          row.querySelector(each).getBoundingClientRect()))
        .map(([dot, { top }]) => dot.bottom > top ? "one line" : "two lines")`);
      assertEquals([...new Set(rows)], ["one line"], path);
    });
  });

  it("begins the values of a session below each other", { skip }, async () => {
    await lookAtPages(360, ["/lab/sessions"], async (tab) => {
      const starts = await tab.evaluate<number[]>(`[...document.querySelectorAll(".stacking td")]
        .filter((cell) => cell.hasChildNodes()).map((cell) => {
          const range = new Range();
          range.selectNodeContents(cell);
          return Math.min(...[...range.getClientRects()].map(({ left }) => Math.round(left)));
        })`);
      assertEquals(new Set(starts).size, 1, starts.join());
    });
  });

  it("breaks no line within an option of a command", { skip }, async () => {
    const query = new URLSearchParams({
      client_id: "demo-spa",
      redirect_uri: "http://localhost:3000/callback",
    });
    await lookAtPages(360, [`/oauth2/authorize?${query}`], async (tab) => {
      const lines = `(() => {
        const walk = document.createTreeWalker(document.querySelector("#fix"), NodeFilter.SHOW_TEXT);
        while (!walk.nextNode().data.includes("--redirect-uri"));
        const range = new Range();
        const start = walk.currentNode.data.indexOf("--redirect-uri");
        range.setStart(walk.currentNode, start);
        range.setEnd(walk.currentNode, start + "--redirect-uri".length);
        return range.getClientRects().length;
      })()`;
      for (let width = 320; width < 400; width += 5) {
        await lookAt(tab, { width, theme: "light" });
        assertEquals(await tab.evaluate(lines), 1, `at ${width} pixels`);
      }
    });
  });

  it("begins the button of a form where its fields begin", { skip }, async () => {
    const paths = ["/lab/call/mint-token", "/lab/tokens", "/lab/users/alice"];
    await lookAtPages(360, paths, async (tab, path) => {
      const starts = await tab.evaluate(
        boxesOf("#entry > div input, #entry [type=submit]", "left"),
      );
      assertEquals(new Set(starts as string[]).size, 1, path);
    });
  });
});
