import { assertEquals } from "@std/assert";
import { describe } from "node:test";
import type { Lab } from "../../../src/lab/lab.ts";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { chromium, type Tab } from "../../support/chromium.ts";
import {
  type Application,
  createApplication,
  drilledClient,
  origin,
} from "../../support/drilled_application.ts";
import { eventually } from "../../support/eventually.ts";
import { inBrowser, inBrowserWith } from "../../support/in_browser.ts";
import { itWith } from "../../support/it_with.ts";
import { authorizationUrlIn, flowCode, redeemIn } from "../../support/lab_flow.ts";
import { waitUntilArmed } from "../../support/page_quality.ts";
import { hasFeature, needs } from "../../support/where_feature.ts";

const skip = chromium ? false : "this machine has no Chromium";

const windows = [[1280, 800], [360, 740]] as const;

/** How long a result may take on a machine with little to spare, in milliseconds. */
const maxWait = 10_000;

/** What a user does on a page, and where the result is. */
interface PrimaryAction {
  name: string;
  /** The path of the page. */
  at: string;
  /** Buttons that lead from there to the page. */
  after?: readonly string[];
  /** What is typed first, by the selector of the field. */
  fields?: Readonly<Record<string, string>>;
  press: string;
  result: string;
  needs?: string;
}

/** A port of this machine on which nothing listens: that of the discard protocol. */
const deadUrl = "http://localhost:9/login";

const actions: readonly PrimaryAction[] = [
  {
    name: "registers a refused redirect_uri",
    at: "/",
    press: "#register-uri button",
    result: "#listener.good",
    needs: "redirect_uris",
  },
  {
    name: "leads from the page that refuses a redirect_uri to the button that registers it",
    at: "/oauth2/authorize?client_id=demo-spa&redirect_uri=http://localhost:3000/callback",
    press: "#flow",
    result: "#register-uri button",
    needs: "redirect_uris",
  },
  {
    name: "registers it on the page of its flow",
    at: "/lab/flows/flow-2",
    press: "#register-uri button",
    result: "#fixed",
    needs: "redirect_uris",
  },
  {
    name: "registers it in the report",
    at: "/lab/report",
    press: "[id^=fix-] button",
    result: "[id^=fixed-]",
    needs: "redirect_uris",
  },
  { name: "opens the latest flow", at: "/", press: "#latest-flow", result: "#outcome, #flow-head" },
  { name: "starts a flow", at: "/", press: "#start-flow", result: "#one-click-alice" },
  {
    name: "exchanges a code",
    at: "/start?client_id=demo-web&scope=openid&prompt=login+consent",
    after: ["#one-click-alice", "#allow"],
    press: "#send-exchange button",
    result: "#exchange .verdicts",
    needs: "callback page",
  },
  {
    name: "calls userinfo after the exchange",
    at: "/start?client_id=demo-web&scope=openid&prompt=login+consent",
    after: ["#one-click-alice", "#allow", "#send-exchange button"],
    press: "#send-userinfo button",
    result: "#userinfo .verdict-title",
    needs: "callback page",
  },
  {
    name: "sends a code a second time",
    at: "/start?client_id=demo-web&scope=openid&prompt=login+consent",
    after: ["#one-click-alice", "#allow", "#send-exchange button"],
    press: "#send-exchange button",
    result: "#refusal-exchange",
    needs: "callback page",
  },
  {
    name: "chooses a flow that was refused",
    at: "/lab/flows",
    press: "#open-flow-1",
    result: "#refusal",
  },
  {
    name: "chooses a step",
    at: "/lab/flows/flow-1",
    press: ".steps li:nth-child(2) a",
    result: "#step .panel-head",
  },
  {
    name: "mints a token",
    at: "/lab/tokens",
    fields: { "#scope": "openid" },
    press: "#entry [type=submit]",
    result: "#result .verdicts",
  },
  {
    name: "explains a token",
    at: "/lab/tokens",
    fields: { "#text": "nonsense" },
    press: "#explain button",
    result: "#result",
  },
  {
    name: "is told what is wrong with a client",
    at: "/lab/call/put-client",
    fields: { "#id": "new", "[name=redirectUris]": "no URL" },
    press: "#entry [type=submit]",
    result: "#problem",
  },
  { name: "finds a rule", at: "/lab/rules?q=verifier", press: "main summary", result: "#entries" },
  {
    name: "turns a fault on",
    at: "/lab/faults?q=wrong_nonce",
    press: "[value='id_token.wrong_nonce']",
    result: "[aria-checked=true]",
    needs: "faults",
  },
  {
    name: "turns on a fault that is often useful",
    at: "/lab/faults",
    press: "[id='switch-often-jwks.rotated']",
    result: "[id='switch-often-jwks.rotated'][aria-checked=true]",
    needs: "faults",
  },
  {
    name: "drills an API that does not respond",
    at: "/lab/drill/api",
    fields: { "#request": deadUrl },
    press: "#api-drill-form [type=submit]",
    result: "#problem",
    needs: "api_drill",
  },
  {
    name: "drills an application that does not respond",
    at: "/lab/drill",
    fields: { "#start": deadUrl },
    press: "#drill-form [type=submit]",
    result: "#problem",
    needs: "drill",
  },
];

/** A lab whose requests go to an application that checks nothing, once it may respond. */
function drilledLab(issuer: string, released: () => Promise<unknown>): Partial<LabConfig> {
  const parts: { application?: Application } = {};
  return {
    clients: [drilledClient()],
    async fetch(url, { method, headers, body }) {
      await released();
      // The application asks the lab as any client does, by the network.
      parts.application ??= createApplication({ issuer, fetch }, "careless");
      return await parts.application(new Request(url, { method, headers, body: body ?? null }));
    },
  };
}

/** Runs a drill, stops it, and runs it to its end; returns what is not in sight. */
async function drillInSight(tab: Tab, lab: Lab, gate: Gate): Promise<string[]> {
  const run = {
    name: "runs a drill",
    at: "/lab/drill",
    fields: { "#start": `${origin}/` },
    press: "#drill-form [type=submit]",
    result: "#drill-bar",
  };
  gate.close();
  const problems = [
    await act(tab, lab.issuer, run),
    await misses(tab, "#drill-stop button"),
    await act(tab, lab.issuer, {
      name: "stops it",
      press: "#drill-stop button",
      result: "#drill-verdict",
    }),
  ];
  gate.open();
  await eventually(async () => assertEquals((await drillState(lab)).state, "stopped"));
  problems.push(await act(tab, lab.issuer, { ...run, result: "#drill-bar, #drill-verdict" }));
  await eventually(async () => assertEquals((await drillState(lab)).state, "finished"));
  // Without scripts, a reader loads the page again.
  if (!await tab.evaluate("document.querySelector('#drill-verdict')")) {
    await tab.goto(`${lab.issuer}/lab/drill`);
  }
  problems.push(await misses(tab, "#drill-verdict"), await misses(tab, "[id^=finding-]"));
  return problems.filter((problem) => problem !== undefined);
}

async function drillState(lab: Lab): Promise<{ state: string }> {
  return await (await fetch(`${lab.issuer}/lab/drill`)).json();
}

/** What an application waits for before it responds. */
interface Gate {
  close(): void;
  open(): void;
  passed(): Promise<unknown>;
}

function createGate(): Gate {
  let { promise, resolve } = Promise.withResolvers<void>();
  return {
    close: () => ({ promise, resolve } = Promise.withResolvers<void>()),
    open: () => resolve(),
    passed: () => promise,
  };
}

/** Leaves a flow that was refused for its verifier, and one for its redirect_uri. */
async function leaveTraces(lab: Lab): Promise<void> {
  await redeemIn(lab, await flowCode(lab), { code_verifier: "w".repeat(43) });
  const redirect_uri = "http://localhost:3000/callback";
  await lab.fetch(new Request(authorizationUrlIn(lab, { redirect_uri })));
}

/** Turns more faults on than a phone has lines for. */
async function turnFaultsOn(lab: Lab): Promise<void> {
  if (!hasFeature("faults")) return;
  for (const name of ["id_token.wrong_nonce", "token.slow", "jwks.rotated"]) {
    await lab.fetch(
      new Request(`${lab.issuer}/lab/faults`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ name, client: "someone-else" }),
      }),
    );
  }
}

/** Waits until the beginning of an element is within the window, and returns why it is not. */
async function misses(
  tab: Tab,
  selector: string,
  limit: number = maxWait,
): Promise<string | undefined> {
  // The next page must not be taken for loaded by the end of this one.
  const measure = `(() => {
    if (document.readyState !== "complete") return "still loading";
    const element = [...document.querySelectorAll("${selector}")].find((each) => each.offsetHeight > 0);
    if (!element) return "there is no ${selector} at " + location.href;
    const { top, height } = element.getBoundingClientRect();
    const isSeen = top >= 0 && top + Math.min(height, 40) <= innerHeight;
    return isSeen ? "" : "it begins at " + Math.round(top) + " of " + innerHeight;
  })()`;
  try {
    await eventually(async () => {
      const problem = await tab.evaluate<string>(measure);
      if (problem !== "") throw new Error(problem);
    }, limit);
    return undefined;
  } catch (cause) {
    return String(cause);
  }
}

/** What an action is measured with. */
interface Step extends Omit<PrimaryAction, "at"> {
  /** Undefined on the page that is open. */
  at?: string;
}

async function act(tab: Tab, issuer: string, action: Step): Promise<string | undefined> {
  if (action.at !== undefined) await tab.goto(issuer + action.at);
  for (const button of action.after ?? []) await tab.click(button);
  for (const [field, text] of Object.entries(action.fields ?? {})) await tab.type(field, text);
  await waitUntilArmed(tab);
  await tab.evaluate(`document.querySelector("${action.press}").click()`);
  return await misses(tab, action.result);
}

/** What each page is for, by its path. Without scripts, every part that a script folds is open. */
const primaryActions: Readonly<Record<string, string>> = {
  "/": "#listener .button-row",
  "/start?client_id=demo-web&prompt=login": "#one-click-alice, #sign-in-button",
  "/lab/call/put-client": "[form=entry]",
  "/lab/clients/demo-web": "[form=entry]",
  "/lab/call/put-user": "[form=entry]",
  "/lab/users/alice": "[form=entry]",
  "/lab/tokens": "#entry [type=submit]",
  ...hasFeature("drill") && { "/lab/drill": "#drill-form [type=submit]" },
  ...hasFeature("api_drill") && { "/lab/drill/api": "#api-drill-form [type=submit]" },
  ...hasFeature("faults") && { "/lab/faults": "[id='switch-often-callback.denied']" },
};

const it = itWith({ inBrowser: inBrowserWith() });

describe("U6: In Chromium, what a page is for", () => {
  for (const [width, height] of windows) {
    it.inBrowser(
      `is in sight at once on ${width} × ${height} pixels, without scripts`,
      async (tab, issuer, lab) => {
        await leaveTraces(lab);
        await turnFaultsOn(lab);
        await tab.send("Emulation.setScriptExecutionDisabled", { value: true });
        const size = { width, height, deviceScaleFactor: 1, mobile: false };
        await tab.send("Emulation.setDeviceMetricsOverride", size);
        const problems: string[] = [];
        for (const [path, selectors] of Object.entries(primaryActions)) {
          await tab.goto(issuer + path);
          for (const selector of selectors.split(", ")) {
            const problem = await misses(tab, selector, 1000);
            if (problem) problems.push(`${path}: ${problem}`);
          }
        }
        assertEquals(problems, []);
      },
    );
  }
});

describe("U6: In Chromium, who presses a button of a lab sees the result", () => {
  for (const hasScripts of [true, false]) {
    it.inBrowser(
      `without scrolling, on 1280 × 800 and 360 × 740 pixels${
        hasScripts ? "" : ", without scripts"
      }`,
      async (tab, issuer, lab) => {
        await tab.send("Emulation.setScriptExecutionDisabled", { value: !hasScripts });
        const problems: string[] = [];
        for (const [width, height] of windows) {
          const size = { width, height, deviceScaleFactor: 1, mobile: false };
          await tab.send("Emulation.setDeviceMetricsOverride", size);
          for (const action of actions) {
            if (action.needs && !hasFeature(action.needs)) continue;
            await lab.reset();
            await leaveTraces(lab);
            const problem = await act(tab, issuer, action);
            if (problem) problems.push(`${action.name}, ${width} pixels: ${problem}`);
          }
        }
        assertEquals(problems, []);
      },
    );

    it(
      `while a drill runs, when it is stopped and when it has finished${
        hasScripts ? "" : ", without scripts"
      }`,
      { skip: skip || needs("drill").skip },
      async () => {
        const gate = createGate();
        await inBrowser((issuer) => drilledLab(issuer, gate.passed), async (tab, _, lab) => {
          await tab.send("Emulation.setScriptExecutionDisabled", { value: !hasScripts });
          for (const [width, height] of windows) {
            const size = { width, height, deviceScaleFactor: 1, mobile: false };
            await tab.send("Emulation.setDeviceMetricsOverride", size);
            await lab.reset();
            assertEquals(await drillInSight(tab, lab, gate), [], `${width} pixels`);
          }
        });
      },
    );
  }
});
