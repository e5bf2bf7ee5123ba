import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  createPlaywrightBrowser,
  type RealBrowser,
} from "../../../../src/lab/features/drill/browser/playwright_browser.ts";
import type {
  PassingRoute,
  PlaywrightContext,
  PlaywrightPage,
} from "../../../../src/lab/features/drill/browser/playwright_types.ts";
import { createResponseTimes } from "../../../../src/lab/features/verdicts/response_times.ts";

const lab = "http://localhost:9000";
const application = "http://localhost:3000/";

const notUsed = () => Promise.reject(new Error("It is not used."));

/** A request of a tab, or of a window that has no frame yet: Playwright throws then. */
function requestOf(url: string, frame: () => object): ReturnType<PassingRoute["request"]> {
  return {
    url: () => url,
    method: () => "GET",
    isNavigationRequest: () => true,
    allHeaders: async () => ({}),
    postDataBuffer: () => null,
    frame,
    resourceType: () => "document",
  };
}

/** A browser whose tab opens a window, at a URL, when it is opened. */
function browserWithWindow(url: string) {
  const ends: string[] = [];
  let handle: (route: PassingRoute) => Promise<void>;
  const send = (at: string, frame: () => object) =>
    handle({
      request: () => requestOf(at, frame),
      fulfill: async ({ body }) => void ends.push(`${at} ${body}`),
      continue: async () => void ends.push(`${at} continued`),
      abort: async () => void ends.push(`${at} aborted`),
    });
  const noFrame = () => {
    throw new Error("Frame for this navigation request is not available");
  };
  const main = {};
  const page: PlaywrightPage = {
    goto: async (at) => {
      await send(at, () => main);
      await send(url, noFrame);
    },
    url: () => application,
    evaluate: async () => ({ html: "", text: "", controls: [], session: [] }),
    mainFrame: () => main,
  };
  const context: PlaywrightContext = {
    newPage: async () => page,
    route: async (_fits, given) => void (handle = given),
    on: () => {},
    storageState: async () => ({ cookies: [], origins: [] }),
    close: async () => {},
  };
  return { ends, browser: { newContext: async () => context } };
}

describe("A browser of Playwright in a drill", () => {
  it("lets a window reach the lab whose first request has no frame yet", async () => {
    const { ends, browser } = browserWithWindow(`${lab}/window`);
    const real: RealBrowser = {
      browser,
      hosts: [],
      fetch: async () => new Response("of the lab"),
      onForeign: () => {},
    };
    const tab = createPlaywrightBrowser({
      fetch: async () => new Response("of the application"),
      openLab: () => ({ authorize: notUsed, signOut: notUsed }),
      now: () => 0,
      times: createResponseTimes(),
      isLab: ({ origin }) => origin === lab,
      isAllowed: () => true,
    }, real);
    await tab.open(application);
    await tab.close();
    assertEquals(ends, [`${application} of the application`, `${lab}/window of the lab`]);
  });
});
