import { assert, assertEquals } from "@std/assert";
import { describe } from "node:test";
import { chromium, type Tab } from "../../support/chromium.ts";
import { inBrowser, inBrowserWith, until } from "../../support/in_browser.ts";
import { itWith } from "../../support/it_with.ts";
import { waitUntilArmed } from "../../support/page_quality.ts";
import { press } from "./keyboard.ts";

const skip = chromium ? false : "this machine has no Chromium";
const maxTabs = 150;

/** Activates an element, in one of the ways of a user. */
type Activate = (tab: Tab, selector: string) => Promise<void>;

/** The whole story: what is activated, and what the page shows then. */
const story: ReadonlyArray<readonly [selector: string, shows: string]> = [
  ["#start-flow", "document.querySelector('#one-click-alice') !== null"],
  ["#one-click-alice", "document.querySelector('#allow') !== null"],
  ["#allow", "document.querySelector('#code')?.textContent.length === 43"],
  ["#send-exchange button", textIn("#issued", "Access token (RFC 9068)")],
  ["#send-userinfo button", textIn("#userinfo", "Alice Adler")],
  ["#send-refresh button", textIn("#refresh", "Access token (RFC 9068)")],
  ["#send-revoke button", textIn("#revoke", "200")],
  ["#send-userinfo button", textIn("#userinfo", "401")],
];

function textIn(selector: string, text: string): string {
  return `document.querySelector('${selector}')?.textContent.includes('${text}')`;
}

const byMouse: Activate = async (tab, selector) => {
  const { x, y } = await tab.evaluate<{ x: number; y: number }>(`(() => {
    const element = document.querySelector("${selector}");
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  })()`);
  const event = { x, y, button: "left", clickCount: 1 };
  await tab.send("Input.dispatchMouseEvent", { type: "mousePressed", ...event });
  await tab.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...event });
};

const byKeyboard: Activate = async (tab, selector) => {
  const isFocused = `document.activeElement.matches("${selector}")`;
  for (let count = 0; !await tab.evaluate<boolean>(isFocused); count++) {
    assert(count < maxTabs, `Tab never reaches ${selector}`);
    await press(tab, "Tab");
  }
  // The first key gives the window its focus, and guarded buttons wait again.
  await waitUntilArmed(tab);
  await press(tab, "Enter");
};

async function play(tab: Tab, issuer: string, activate: Activate): Promise<void> {
  await tab.goto(`${issuer}/`);
  for (const [selector, shows] of story) {
    await until(tab, "document.readyState === 'complete'");
    await waitUntilArmed(tab);
    await activate(tab, selector);
    await until(tab, shows);
  }
}

const it = itWith({ inBrowser: inBrowserWith() });

describe("In Chromium, the story of a lab: start, sign in, allow, exchange, use, revoke", () => {
  it.inBrowser("works by mouse", async (tab, issuer) => {
    await play(tab, issuer, byMouse);
    assertEquals(tab.complaints, []);
  });

  it("works by keyboard", { skip }, async () => {
    await inBrowser({}, async (tab, issuer) => await play(tab, issuer, byKeyboard));
  });

  it.inBrowser("works without scripts", async (tab, issuer) => {
    await tab.send("Emulation.setScriptExecutionDisabled", { value: true });
    await play(tab, issuer, byMouse);
  });

  it.inBrowser("shows the request as one chooses", async (tab, issuer) => {
    await tab.goto(`${issuer}/`);
    const choose = (id: string, value: string) =>
      tab.evaluate(`(() => {
        const field = document.getElementById("${id}");
        field.focus();
        field.value = "${value}";
        field.dispatchEvent(new Event("input", { bubbles: true }));
      })()`);
    await byMouse(tab, "#options > summary");
    await choose("client_id", "demo-web");
    await until(tab, textIn("#start-flow", "Demo web app"));
    await until(tab, textIn("#request-preview", "client_id=demo-web"));
    await choose("user", "bob");
    await until(tab, textIn("#request-preview", "login_hint=bob"));
    await byMouse(tab, "#more-options > summary");
    await byMouse(tab, "#par");
    await until(tab, textIn("#request-preview", "POST "));
    await until(tab, "!document.querySelector('#jar').disabled");
    await byMouse(tab, "#start-flow");
    await until(
      tab,
      "location.search.includes('request_uri') || document.querySelector('#username')",
    );
    assertEquals(tab.complaints, []);
  });

  it.inBrowser("shows at once what another program did with the code", async (tab, issuer, lab) => {
    await tab.goto(`${issuer}/start?client_id=demo-spa`);
    await tab.click("#one-click-alice");
    await waitUntilArmed(tab);
    await tab.click("#allow");
    await until(tab, "document.querySelector('#connection').dataset.state === 'open'");
    await until(tab, "/^[0-4]:\\d\\d$/.test(document.querySelector('.countdown').textContent)");
    const fields = {
      grant_type: "authorization_code",
      code: await tab.text("#code"),
      code_verifier: await tab.text("#code-verifier"),
      redirect_uri: `${issuer}/authorized`,
      client_id: "demo-spa",
    };
    const body = new URLSearchParams(fields);
    await lab.fetch(new Request(`${issuer}/oauth2/token`, { method: "POST", body }));
    await until(tab, textIn("#code-state", "Spent by demo-spa"));
    await until(tab, textIn("#follow-ups", "Userinfo"));
    assertEquals(tab.complaints, []);
  });
});
