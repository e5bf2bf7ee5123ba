import { createServer } from "node:net";
import { hostOf } from "../../../scripts/built_files.ts";
import { buildPlayground } from "../../../scripts/playground/build_playground.ts";
import type { PlaygroundFile } from "../../../scripts/playground/bundle_worker.ts";
import { serve } from "../../../src/runtime/serve.ts";
import { chromium, type Tab, withChromium } from "../../support/chromium.ts";
import { eventually } from "../../support/eventually.ts";
import { firefox, withFirefox } from "../../support/firefox.ts";
import { until } from "../../support/in_browser.ts";

/** What both browsers can do in one tab. */
export interface PlaygroundTab {
  goto(url: string): Promise<void>;
  /** Runs an expression in the page and returns its value. */
  evaluate<T>(expression: string): Promise<T>;
  url(): Promise<string>;
  press(key: keyof typeof keys): Promise<void>;
  /** Clicks where a user would see it. No script reaches what is there. */
  clickAt(x: number, y: number): Promise<void>;
  reload(): Promise<void>;
  /** What went wrong in the page, as the browser logs it. */
  complaints: string[];
  /** The kinds of dialogs that have opened. */
  dialogs: string[];
  /** How dialogs are answered from now on. */
  acceptsDialogs: boolean;
}

/** A browser that the playground is tried in. */
export interface TestBrowser<T extends PlaygroundTab = PlaygroundTab> {
  name: string;
  /** Why it cannot be tried here, or false. */
  skip: string | false;
  /** Opens a tab whose requests to other machines go to a proxy. */
  open(proxy: string, use: (tab: T) => Promise<void>): Promise<void>;
}

/** A visit of the playground, whose lab shows a page. */
export interface Visit<T extends PlaygroundTab = PlaygroundTab> {
  tab: T;
  /** The folder of the playground. */
  url: string;
  /** The requests that left this machine. */
  left: string[];
  /** The paths that the static host was asked for. */
  fetched: string[];
  /** Opens another tab of the same browser, which shares nothing. */
  alsoOpen(use: (tab: T) => Promise<void>): Promise<void>;
  /** Serves other files from now on. */
  serveInstead(files: readonly PlaygroundFile[]): Promise<void>;
  /** Takes the static host away. */
  goOffline(): Promise<void>;
}

const keys = {
  Tab: { code: 9, value: "\uE004" },
  Enter: { code: 13, value: "\uE007", text: "\r" },
};

export const inChromium: TestBrowser<PlaygroundTab & Tab> = {
  name: "Chromium",
  skip: chromium ? false : "this machine has no Chromium",
  open: (proxy, use) =>
    withChromium(async (tab) => {
      const opened: PlaygroundTab & Tab = {
        ...tab,
        dialogs: [],
        acceptsDialogs: true,
        reload: async () => void await tab.send("Page.reload"),
        press: async (key) => {
          const { code, text } = { text: undefined, ...keys[key] };
          const event = { key, code: key, windowsVirtualKeyCode: code, text };
          await tab.send("Input.dispatchKeyEvent", { type: "keyDown", ...event });
          await tab.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
        },
        clickAt: async (x, y) => {
          const at = { x, y, button: "left", clickCount: 1 };
          await tab.send("Input.dispatchMouseEvent", { type: "mousePressed", ...at });
          await tab.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...at });
        },
      };
      tab.on("Page.javascriptDialogOpening", ({ type }) => {
        opened.dialogs.push(String(type));
        void tab.send("Page.handleJavaScriptDialog", { accept: opened.acceptsDialogs });
      });
      await use(opened);
    }, { proxyServer: `http://${proxy}` }),
};

export const inFirefox: TestBrowser = {
  name: "Firefox",
  skip: firefox ? false : "this machine has no Firefox",
  async open(proxy, use) {
    const complaints: string[] = [];
    const dialogs: string[] = [];
    let answer = async (_context: string) => {};
    await withFirefox({
      proxy,
      listener(method, { context, level, text, type }) {
        if (method === "browsingContext.userPromptOpened") {
          dialogs.push(type);
          void answer(context);
        } else if (level === "error") complaints.push(text);
      },
    }, async ({ send, evaluate }) => {
      const act = (source: object) => send("input.performActions", { actions: [source] });
      const opened: PlaygroundTab = {
        evaluate,
        complaints,
        dialogs,
        acceptsDialogs: true,
        goto: async (url) => {
          await send("browsingContext.navigate", { url, wait: "complete" });
        },
        reload: async () => void await send("browsingContext.reload", { wait: "complete" }),
        url: () => evaluate("location.href"),
        press: async (key) => {
          const { value } = keys[key];
          const actions = [{ type: "keyDown", value }, { type: "keyUp", value }];
          await act({ type: "key", id: "keyboard", actions });
        },
        clickAt: async (x, y) => {
          const actions = [
            { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
            { type: "pointerDown", button: 0 },
            { type: "pointerUp", button: 0 },
          ];
          await act({ type: "pointer", id: "mouse", actions });
        },
      };
      answer = async (context) => {
        const { acceptsDialogs: accept } = opened;
        await send("browsingContext.handleUserPrompt", { context, accept });
      };
      await use(opened);
    });
  },
};

let built: Promise<PlaygroundFile[]> | undefined;
export const build = () => built ??= buildPlayground();

/** What a person sees of the lab: the document in the frame. */
export const inside = "document.getElementById('lab').contentDocument";

/** Opens the playground below a path, and waits until its lab shows a page. */
export async function visiting<T extends PlaygroundTab>(
  browser: TestBrowser<T>,
  use: (visit: Visit<T>) => Promise<void>,
  { path = "/", hash = "" } = {},
): Promise<void> {
  const fetched: string[] = [];
  const listen = (files: readonly PlaygroundFile[], port = 0) => {
    const host = hostOf(files, path);
    return serve({
      async fetch(request) {
        fetched.push(new URL(request.url).pathname);
        return host(request);
      },
    }, { port });
  };
  let host = await listen(await build());
  const { port } = host;
  const url = `http://localhost:${port}${path}`;
  const left: string[] = [];
  const proxy = await openProxy(left);
  const goOffline = () => host.close();
  try {
    await browser.open(proxy.address, async (tab) => {
      await tab.goto(url + hash);
      await until(tab, `${inside}?.querySelector("main h1")`);
      await until(tab, "document.getElementById('address').value !== ''");
      await use({
        tab,
        url,
        left,
        fetched,
        alsoOpen: (useOther) => browser.open(proxy.address, useOther),
        serveInstead: async (files) => {
          await host.close();
          host = await listen(files, port);
        },
        goOffline,
      });
    });
  } finally {
    await goOffline();
    await proxy.close();
  }
}

/** Opens a proxy that notes what it is asked for, and refuses it. */
async function openProxy(asked: string[]) {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (bytes) => {
      asked.push(String(bytes).split("\r\n", 1)[0] ?? "");
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    address: `127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Presses the button whose text begins so, as soon as there is one that works. */
export async function pressButton(tab: PlaygroundTab, text: string): Promise<void> {
  // Found and pressed at once: the next page may be on its way. While a page loads, the script that
  // guards a button against double clicks ignores them.
  await until(
    tab,
    `${inside}?.readyState === "complete" && [...${inside}?.querySelectorAll("button") ?? []].some((button) =>
    button.textContent.trim().startsWith(${JSON.stringify(text)}) &&
    !button.matches(":disabled, [aria-disabled=true]") && (button.click(), true))`,
  );
}

export async function insideReads(tab: PlaygroundTab, text: string): Promise<void> {
  await until(tab, `${inside}?.body?.innerText.includes(${JSON.stringify(text)})`);
}

/** Follows a link to a page of the lab, which may redirect. */
export async function followInside(tab: PlaygroundTab, path: string): Promise<void> {
  await tab.evaluate(`document.getElementById("lab").contentWindow.location =
    document.getElementById("lab").contentWindow.location.pathname.match(/^.*\\/tab-[^/]+/)[0] +
      ${JSON.stringify(path)}`);
}

/** Opens a page of the lab by its path, and waits until it is there. */
export async function goInside(tab: PlaygroundTab, path: string): Promise<void> {
  await followInside(tab, path);
  const name = JSON.stringify(path.split("?")[0]);
  await until(
    tab,
    `${inside}?.readyState === "complete" && ${inside}.location.pathname.endsWith(${name})`,
  );
}

/** Reads what the lab responds to a page of its own. */
export async function readInside(
  tab: PlaygroundTab,
  path: string,
  options: object = {},
): Promise<string> {
  // A page that is left while it fetches neither gets a response nor an error.
  return await tab.evaluate<string>(`Promise.race([(async () => {
    const lab = document.getElementById("address").value.match(/^.*\\/tab-\\w+/)[0];
    const { contentWindow } = document.getElementById("lab");
    const response = await contentWindow.fetch(lab + ${JSON.stringify(path)},
      ${JSON.stringify(options)});
    return await response.text();
  })(), new Promise((_, fail) => setTimeout(fail, 5000, new Error("no response in 5 s")))])`);
}

/** Signs a user in, from the home page of the lab to the end of the flow. */
export async function signIn(tab: PlaygroundTab): Promise<void> {
  await pressButton(tab, "Start");
  await pressButton(tab, "Alice");
  await pressButton(tab, "Allow");
}

/**
 * Begins the application again by what is clicked, and presses its button until it sends a message:
 * no script reaches into its frame, and a new frame takes no clicks for a moment.
 */
export async function signInFromApplication(tab: PlaygroundTab, clicked: string): Promise<void> {
  const [x = 0, y = 0] = await tab.evaluate<number[]>(`new Promise((resolve) => {
    addEventListener("message", () => globalThis.hasBegun = true);
    // The frame loads again when the application has begun.
    let hasLoaded = false;
    document.addEventListener("load", ({ target }) => {
      if (target.id !== "application-frame" || hasLoaded) return;
      hasLoaded = true;
      const { x, y } = target.getBoundingClientRect();
      globalThis.hasBegun = false;
      resolve([x + 60, y + 30]);
    }, { capture: true });
    document.querySelector(${JSON.stringify(clicked)}).click();
  })`);
  await eventually(async () => {
    await tab.clickAt(x, y);
    await until(tab, "hasBegun", 300);
  });
}

/** Waits until the browser has kept all files, to work without a network. */
export async function untilKept(tab: PlaygroundTab): Promise<void> {
  const kept = "caches.keys().then(([name]) => caches.open(name))" +
    ".then((cache) => cache.keys()).then(({ length }) => length)";
  const { length } = await build();
  await eventually(async () => {
    const count = await tab.evaluate<number>(kept);
    // The service worker itself is none of the files that it keeps.
    if (count < length - 1) throw new Error(`The browser has kept ${count} of ${length} files.`);
  });
}
