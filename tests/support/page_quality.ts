import type { Tab } from "./chromium.ts";

/** A page that the browser tests look at. */
export interface ShownPage {
  name: string;
  /** Leads a browser without cookies to the page. */
  open(tab: Tab, issuer: string): Promise<void>;
  /** Ends what the page shows. */
  leave?(): Promise<void>;
}

/** How a page is looked at. */
export interface Look {
  width: number;
  theme: "light" | "dark";
  /** Whether text is spaced as readers may set it (WCAG 1.4.12). */
  isSpaced?: boolean;
}

/** The spacing of text that no page may lose anything by. */
const spacing = "line-height: 1.5 !important; letter-spacing: 0.12em !important; " +
  "word-spacing: 0.16em !important";

/** Shows the page at a width and in a theme. */
export async function lookAt(tab: Tab, { width, theme, isSpaced = false }: Look): Promise<void> {
  await tab.send("Emulation.setDeviceMetricsOverride", {
    width,
    height: 800,
    deviceScaleFactor: 1,
    mobile: false,
  });
  const features = [{ name: "prefers-color-scheme", value: theme }];
  await tab.send("Emulation.setEmulatedMedia", { features });
  // The pages allow no inline style; a sheet that a script makes is not one.
  const rules = isSpaced ? `* { ${spacing} } p { margin-bottom: 2em !important }` : "";
  await tab.evaluate(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(rules)});
    document.adoptedStyleSheets = [sheet];
  })()`);
}

/** Forgets the cookies, and asks for pages in a language. */
export async function startOver(tab: Tab, language: string): Promise<void> {
  await tab.send("Network.clearBrowserCookies");
  await tab.send("Network.setExtraHTTPHeaders", { headers: { "Accept-Language": language } });
}

/** Waits until the buttons of a page work. */
export async function waitUntilArmed(tab: Tab): Promise<void> {
  while (await tab.evaluate("document.querySelector('[aria-disabled=true]') !== null")) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Returns the elements that reach beyond the page, which then scrolls sideways. */
export async function elementsBeyond(tab: Tab): Promise<string[]> {
  return await tab.evaluate<string[]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const beyond = [...document.querySelectorAll("body *")].filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return right > clientWidth + 1 || left < -1;
    });
    return ["scrolls sideways", ...beyond.slice(0, 5).map((element) => element.outerHTML.slice(0, 120))];
  })()`);
}

/** Returns the placeholders that are longer than their fields. */
export async function cutPlaceholders(tab: Tab): Promise<string[]> {
  return await tab.evaluate<string[]>(`[...document.querySelectorAll("input[placeholder]")]
    .filter((field) => {
      const { value, placeholder } = field;
      field.value = placeholder;
      const isCut = field.scrollWidth > field.clientWidth;
      field.value = value;
      return isCut;
    }).map(({ placeholder }) => "is cut: " + placeholder)`);
}

/** Returns the tags between which there is no space, beside or below each other. */
export async function touchingTags(tab: Tab): Promise<string[]> {
  return await tab.evaluate<string[]>(`(() => {
    const tags = [...document.querySelectorAll(".tag + .tag")].filter((tag) => {
      const [one, other] = [tag.previousElementSibling, tag].map((each) => each.getBoundingClientRect());
      const beside = Math.max(other.left - one.right, one.left - other.right);
      return Math.max(beside, other.top - one.bottom) < 2 && one.width > 0;
    });
    return tags.map((tag) => "touches another tag: " + tag.textContent);
  })()`);
}
