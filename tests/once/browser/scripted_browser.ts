// The smallest browser with scripts behind the interface of a drill: Chromium, by Playwright.
import { Buffer } from "node:buffer";
import type { Browser, BrowserContext, Page, Route } from "playwright-core";
import type { ApplicationTarget } from "../../../src/lab/features/drill/application_browser.ts";
import type {
  DrillBrowser,
  DrillControl,
  DrillPage,
} from "../../../src/lab/features/drill/drill_browser.ts";

/** Cookies and local storage. */
type State = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Sends a request to the application or to the lab, both in this process. */
type Respond = (request: Request) => Promise<Response>;

/** Returns what opens browsers of a drill, each of them a context of one Chromium. */
export function scriptedBrowsers(chromium: Browser, respond: Respond) {
  return (target: ApplicationTarget, state?: Promise<State>): DrillBrowser => {
    const lab = target.openLab();
    let opened: Promise<Page> | undefined;
    let labUrl: string | undefined;
    const pageOf = () => opened ??= openPage();

    async function openPage(): Promise<Page> {
      const context = await chromium.newContext(state && { storageState: await state });
      await context.route("**/*", route);
      return await context.newPage();
    }

    async function route(route: Route): Promise<void> {
      const sent = route.request();
      if (sent.isNavigationRequest() && target.isLab(new URL(sent.url()))) {
        labUrl = sent.url();
        return await route.abort();
      }
      const [method, headers, body] = [sent.method(), await sent.allHeaders(), sent.postData()];
      const response = await respond(new Request(sent.url(), { method, headers, body }));
      await route.fulfill({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: Buffer.from(await response.arrayBuffer()),
      });
    }

    /** Does something in the page, and looks where that ends. */
    async function settle(act: (page: Page) => Promise<number | undefined>): Promise<DrillPage> {
      labUrl = undefined;
      const page = await pageOf();
      const status = await act(page) ?? 200;
      await page.waitForLoadState("networkidle");
      const [url, html, text] = [page.url(), await page.content(), await page.innerText("body")];
      const labels = await page.locator("button").allInnerTexts();
      const controls = labels.map((label, at): DrillControl => ({
        text: label,
        // A script may do anything with a button.
        method: "POST",
        url,
        fields: [],
        press: () => settle(async (page) => void await page.locator("button").nth(at).click()),
      }));
      target.onResponse?.({ url, html, status, headers: new Headers() });
      return {
        ...{ url, labUrl, status, firstStatus: status, way: [url] },
        controls: () => controls,
        words: () => text.split(/\s+/).filter(Boolean),
        pieces: () => new Set(text.split(/\s+/)),
        shows: (each) => text.includes(each),
        hasMarkup: (each) => html.includes(each),
        stopsScripts: false,
      };
    }

    return {
      isLab: (url) => target.isLab(new URL(url)),
      open: (url) => settle(async (page) => (await page.goto(url).catch(() => null))?.status()),
      send: () => Promise.reject(new Error("No page here sends a form.")),
      authorize: lab.authorize,
      signOut: lab.signOut,
      // A context is made when somebody looks: until then, it is what it will begin with.
      copy: () =>
        scriptedBrowsers(chromium, respond)(
          target,
          pageOf().then((page) => page.context().storageState()),
        ),
      cookies: () => Promise.resolve([]),
    };
  };
}
