import { withTimeout } from "../../../../server/util/time/promises.ts";
import { LabError } from "../../../util/lab_error.ts";
import { withoutQuery } from "../../verdicts/drill_access.ts";
import { type ApplicationTarget, stopsScripts } from "../application_browser.ts";
import type { DrillPage } from "../drill_browser.ts";
import { hasValue, resourcesIn } from "../foreign_html.ts";
import { readTags } from "../html_tags.ts";
import { type PageSnapshot, pressed, shownPage, untilStill } from "./page_expressions.ts";
import type { PlaywrightPage } from "./playwright_types.ts";
import type { TabTraffic } from "./tab_traffic.ts";

/** How long the drill waits for a tab, in milliseconds. */
export function tabLimit({ times }: ApplicationTarget): number {
  return times?.limit() ?? 30_000;
}

/** Creates what acts in a tab, and reads the page to which that leads. */
export function createTabPages(target: ApplicationTarget, { open, traffic, onPage }: {
  /** Opens the tab. */
  open(): Promise<PlaywrightPage>;
  traffic: TabTraffic;
  /** Called with what each page keeps in its session storage. */
  onPage(url: string, session: PageSnapshot["session"]): void;
}) {
  const { requests, seen } = traffic;

  /** Does something in the tab, and looks where that ends. */
  async function settle(act: (page: PlaywrightPage) => Promise<unknown>): Promise<DrillPage> {
    const page = await open();
    traffic.begin();
    // A navigation that leads on fails.
    await act(page).catch((cause) => {
      if (cause instanceof LabError) throw cause;
    });
    await untilQuiet(page);
    const { way, statuses, headers, labUrl, outsideUrl, problem } = seen();
    if (problem) throw problem;
    const shown = await read(page);
    onPage(page.url(), shown.session);
    const isLed = labUrl !== undefined || outsideUrl !== undefined;
    const url = (isLed ? way.at(-1) : undefined) ?? page.url();
    const status = statuses.at(-1) ?? 200;
    target.onResponse?.({ url, html: shown.html, status, headers, next: labUrl ?? outsideUrl });
    return toPage({ url, labUrl, outsideUrl, status, way: way.length > 0 ? way : [url] }, shown);
  }

  function toPage(
    where: Pick<DrillPage, "url" | "labUrl" | "outsideUrl" | "status" | "way">,
    { html, text, controls }: PageSnapshot,
  ): DrillPage {
    const { statuses, headers } = seen();
    const at = where.url;
    const isOwn = (url: URL) => url.origin === originOf(at) || target.isLab(url);
    const words = () => text.split(/[^\p{L}\p{N}@._-]+/u).filter(Boolean);
    return {
      ...where,
      firstStatus: statuses[0] ?? 200,
      headers,
      referrerPolicy: headers.get("Referrer-Policy") ?? undefined,
      stopsScripts: stopsScripts(headers),
      lacksScripts: false,
      controls: () =>
        controls.filter(({ url }) => isOwn(new URL(url))).map((control) => ({
          text: control.text,
          method: control.method === "GET" ? "GET" : "POST",
          url: control.url,
          fields: [],
          press: () => settle((page) => press(page, at, control)),
        })),
      words,
      pieces: () => new Set([...words(), ...controls.map(({ url }) => `href=${url}`)]),
      resources: () => resourcesIn(html, at),
      shows: (each) => text.includes(each) || hasValue(html, each),
      hasMarkup: (each) => readTags(html).some(({ name }) => `<${name}>` === each),
    };
  }

  /** Presses what a page showed; what was pressed before may have led away from it. */
  async function press(
    page: PlaywrightPage,
    url: string,
    { at, text }: PageSnapshot["controls"][number],
  ): Promise<void> {
    if (page.url() === url && await page.evaluate(pressed(at, text))) return;
    await page.goto(url, { waitUntil: "commit", timeout: tabLimit(target) });
    await untilQuiet(page);
    traffic.begin();
    if (await page.evaluate(pressed(at, text))) return;
    throw new LabError(`${withoutQuery(url)} shows '${text}' no more.`);
  }

  /** Waits until no request is open and the page is still, or leads away. */
  async function untilQuiet(page: PlaywrightPage): Promise<void> {
    const isLed = () => seen().labUrl ?? seen().outsideUrl ?? seen().problem;
    let isOver = false;
    const wait = async () => {
      while (isLed() === undefined && !isOver) {
        const before = requests.count();
        // A navigation takes the document away in which this runs.
        await Promise.race([requests.changed(), page.evaluate(untilStill).catch(() => {})]);
        if (!requests.areOpen() && requests.count() === before) return;
        if (requests.areOpen()) await requests.changed();
      }
    };
    // A page that always asks for something is looked at as it is.
    await withTimeout(tabLimit(target), wait(), () => new LabError("late")).catch(() => {});
    isOver = true;
  }

  return { settle };
}

/** Reads a page, once more where it was about to change. */
async function read(page: PlaywrightPage): Promise<PageSnapshot> {
  const look = () => page.evaluate(shownPage) as Promise<PageSnapshot>;
  return await look().catch(look);
}

export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "";
}
