import { assert, assertEquals } from "@std/assert";
import { describe } from "node:test";
import { chromium, type Tab } from "../../support/chromium.ts";
import { inBrowser, inBrowserWith, listening, until } from "../../support/in_browser.ts";
import { itWith } from "../../support/it_with.ts";
import { waitUntilArmed } from "../../support/page_quality.ts";
import { press } from "./keyboard.ts";
import { shopRequest, strangeLab, strangeRequest } from "./server_pages.ts";

const skip = chromium ? false : "this machine has no Chromium";

/** Moves the focus to an element as a keyboard does. */
async function tabTo(tab: Tab, id: string): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if (await tab.evaluate("document.activeElement.id") === id) return;
    await press(tab, "Tab");
  }
  throw new Error(`The keyboard does not reach #${id}.`);
}

/** Presses Enter and waits until another page is there. */
async function enter(tab: Tab): Promise<void> {
  await tab.evaluate("window.isBefore = true");
  await press(tab, "Enter");
  await until(tab, "document.readyState === 'complete' && !window.isBefore");
}

const clickAllow = "document.querySelector('#allow').click()";

/**
 * Makes the consent page click its own Allow as soon as it is there, as the second click of a
 * double click does: a command to the browser could come too late on a slow machine.
 */
async function clickOnArrival(tab: Tab): Promise<void> {
  const source = `addEventListener("pageshow", () => setTimeout(() => {
    const allow = document.querySelector("#allow");
    if (!allow) return;
    window.stateOfAllow = allow.ariaDisabled;
    allow.click();
  }))`;
  await tab.send("Page.addScriptToEvaluateOnNewDocument", { source });
}

async function openConsent(tab: Tab, issuer: string): Promise<void> {
  await tab.goto(shopRequest(issuer));
  await tab.click("#one-click-alice");
}

/** Returns which links of the client can be seen at once, and are not behind the buttons. */
const visibleLinks = `[...document.querySelectorAll("#about-client a")].filter((link) => {
  const { left, bottom } = link.getBoundingClientRect();
  return document.elementFromPoint(left + 2, bottom - 2) === link;
}).map(({ textContent }) => textContent)`;

const it = itWith({ inBrowser: inBrowserWith(strangeLab) });

describe("The consent page in Chromium", () => {
  it.inBrowser(
    "shows the links of a client with 40 scopes without scrolling",
    async (tab, issuer) => {
      await tab.send("Emulation.setDeviceMetricsOverride", {
        width: 1280,
        height: 720,
        deviceScaleFactor: 1,
        mobile: false,
      });
      await tab.goto(strangeRequest(issuer, { prompt: "consent" }));
      await tab.click("#one-click-alice");
      assertEquals(await tab.evaluate(visibleLinks), ["privacy policy", "terms", "logo"]);
      assertEquals(await tab.evaluate("scrollY"), 0);
    },
  );

  it("has four permissions above its buttons, on 1280 × 800 pixels", { skip }, async () => {
    await inBrowser({}, async (tab, issuer) => {
      const size = { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false };
      await tab.send("Emulation.setDeviceMetricsOverride", size);
      await tab.goto(`${issuer}/start?client_id=demo-spa&scope=openid+profile+email+read`);
      await tab.click("#one-click-alice");
      const permissions = `[...document.querySelectorAll(".scopes li")].map((each) =>
        each.getBoundingClientRect())`;
      const heights = `${permissions}.map(({ height }) => Math.floor(height)).sort()`;
      // A description that is longer than a line has two.
      assertEquals(await tab.evaluate(heights), [44, 44, 44, 69]);
      const room = `document.querySelector("#consent").getBoundingClientRect().top -
        ${permissions}.at(-1).bottom`;
      assert(await tab.evaluate<number>(room) >= 0);
    });
  });

  it(
    "says that it can be taken back without scrolling, on 1280 × 800 pixels",
    { skip },
    async () => {
      await inBrowser(strangeLab, async (tab, issuer) => {
        const size = { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false };
        await tab.send("Emulation.setDeviceMetricsOverride", size);
        await openConsent(tab, issuer);
        const isSeen = `((link) => {
        const { left, bottom } = link.getClientRects()[0];
        return document.elementFromPoint(left + 2, bottom - 2) === link;
      })(document.querySelector("a[href$='#connected-apps']"))`;
        assertEquals([await tab.evaluate("scrollY"), await tab.evaluate(isSeen)], [0, true]);
      });
    },
  );

  it.inBrowser(
    "allows nothing by a click that comes at once (double-clickjacking)",
    async (tab, issuer) => {
      await clickOnArrival(tab);
      await openConsent(tab, issuer);
      await waitUntilArmed(tab);
      assertEquals(await tab.evaluate("window.stateOfAllow"), "true");
      await tab.click("#allow");
      await tab.arrive(`${issuer}/callback?code=`);
    },
  );

  it.inBrowser("waits again after another window was in front", async (tab, issuer) => {
    await openConsent(tab, issuer);
    await waitUntilArmed(tab);
    const consent = await tab.url();
    await tab.evaluate(`dispatchEvent(new Event('focus')); ${clickAllow}`);
    await waitUntilArmed(tab);
    assertEquals(await tab.url(), consent);
  });

  it.inBrowser("works at once without scripts, as the sign-in does", async (tab, issuer) => {
    await tab.send("Emulation.setScriptExecutionDisabled", { value: true });
    await openConsent(tab, issuer);
    await tab.evaluate(clickAllow);
    await tab.arrive(`${issuer}/callback?code=`);
  });
});

describe("A user with a keyboard only", () => {
  it.inBrowser("signs in, allows and comes back to the application", async (tab, issuer) => {
    await tab.goto(shopRequest(issuer));
    await tabTo(tab, "username");
    await tab.send("Input.insertText", { text: "alice" });
    await tabTo(tab, "password");
    await tab.send("Input.insertText", { text: "alice" });
    await enter(tab);
    await tabTo(tab, "allow");
    await waitUntilArmed(tab);
    await enter(tab);
    await tab.arrive(`${issuer}/callback?code=`);
    assertEquals(tab.complaints.filter((text) => !text.includes("404")), []);
  });
});

describe("Hostile names", () => {
  it("open no dialog, and load nothing from elsewhere", { skip }, async () => {
    const received: string[] = [];
    const elsewhere = async ({ url }: Request) => {
      received.push(url);
      return new Response();
    };
    await listening(elsewhere, async (origin) => {
      const name = `<img src="${origin}/image"><script src="${origin}/script"></script>`;
      const lab = (issuer: string) => {
        const { clients = [], ...config } = strangeLab(issuer);
        return { ...config, clients: clients.map((client) => ({ ...client, name })) };
      };
      await inBrowser(lab, async (tab, issuer) => {
        await openConsent(tab, issuer);
        await tab.click("#allow");
        await tab.goto(`${issuer}/account`);
        await tab.goto(`${issuer}/`);
        assertEquals(tab.complaints.filter((text) => !text.includes("404")), []);
      });
    });
    assertEquals(received, []);
  });
});
