import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually, patience } from "./eventually.ts";

/** The path of Chromium; undefined if this machine has none. */
export const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
  .find((path) => existsSync(path));

const closedMessage = "The browser has closed the connection.";

const options = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  // It asks a server of its maker about each form.
  "--disable-features=AutofillServerCommunication",
  "--disable-component-update",
  "--disable-sync",
];

const windowSize = { width: 1100, height: 1000 };

/** One tab of a browser, driven over the DevTools protocol. */
export interface Tab {
  goto(url: string): Promise<void>;
  /** Sends a command of the DevTools protocol. */
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  /** Calls a listener for each event of the DevTools protocol with a name. */
  on(method: string, listener: (params: Record<string, unknown>) => void): void;
  /** Runs an expression in the page and returns its value. */
  evaluate<T>(expression: string): Promise<T>;
  /** Clicks on an element, as soon as it is enabled, and waits for the next page. */
  click(selector: string): Promise<void>;
  /** Types into a field, as soon as it is enabled. */
  type(selector: string, text: string): Promise<void>;
  text(selector: string): Promise<string>;
  url(): Promise<string>;
  /** Returns the HTML of the page as the server sent it. */
  html(): Promise<string>;
  /** Waits until the URL begins with a prefix, however many redirects and scripts that takes. */
  arrive(prefix: string): Promise<void>;
  /** Writes a PNG of the page: the whole, or what is above an element. */
  screenshot(path: string, below?: string): Promise<void>;
  /** The errors of the page: blocked by a policy, thrown, not found. */
  complaints: string[];
}

/**
 * Ends the browser when the process of the test ends, however it does: the standard input closes
 * then. The helpers of a browser write to its profile until they have ended, too.
 */
const wrap = `
  "$@" --user-data-dir="$0" --remote-debugging-port=0 about:blank &
  cat
  kill -9 $!
  until rm -rf "$0"; do sleep 0.1; done
  kill -9 0`;

let running: Promise<string> | undefined;

/**
 * Calls a function with a tab that shares cookies and storage with no other. Settings of the
 * DevTools protocol may give it a proxy for what is not on this machine.
 */
export async function withChromium(
  use: (tab: Tab) => Promise<void>,
  settings: { proxyServer?: string } = {},
): Promise<void> {
  running ??= startChromium();
  const address = await running;
  const { webSocketDebuggerUrl } = await (await fetch(`http://${address}/json/version`)).json();
  const browser = await connect(webSocketDebuggerUrl);
  const { browserContextId } = await browser.send("Target.createBrowserContext", settings);
  try {
    const { targetId } = await browser.send("Target.createTarget", {
      browserContextId,
      url: "about:blank",
      ...windowSize,
    });
    const connection = await connect(`ws://${address}/devtools/page/${targetId}`);
    try {
      await use(await openTab(connection));
    } finally {
      await connection.close();
    }
  } finally {
    await browser.send("Target.disposeBrowserContext", { browserContextId });
    await browser.close();
  }
}

/** Starts the browser that all tests of this process share, and returns where it takes commands. */
async function startChromium(): Promise<string> {
  if (!chromium) throw new Error("This machine has no Chromium.");
  const profile = await mkdtemp(join(tmpdir(), "hallpass-chromium-"));
  spawn("sh", ["-c", wrap, profile, chromium, ...options], {
    stdio: ["pipe", "ignore", "ignore"],
    // In a process group of its own, which ends as a whole.
    detached: true,
  }).unref();
  return await eventually(async () => {
    // The browser writes its port to its profile.
    const [port, path] = (await readFile(join(profile, "DevToolsActivePort"), "utf8")).split("\n");
    if (!path) throw new Error("Chromium has not started.");
    return `127.0.0.1:${port}`;
  });
}

interface Connection {
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  on(method: string, listener: (params: Record<string, unknown>) => void): void;
  close(): Promise<void>;
}

/** A command that waits for its response. */
interface PendingCommand {
  resolve(result: Record<string, unknown>): void;
  reject(cause: Error): void;
}

function connect(url: string): Promise<Connection> {
  const socket = new WebSocket(url);
  const pending = new Map<number, PendingCommand>();
  const listeners = new Map<string, Array<(params: Record<string, unknown>) => void>>();
  let last = 0;
  // The connection may close early, or while a command waits for its response.
  const closed = new Promise<void>((resolve) =>
    socket.addEventListener("close", () => {
      for (const { reject } of pending.values()) reject(new Error(closedMessage));
      pending.clear();
      resolve();
    })
  );

  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data));
    if (message.method) {
      for (const listener of listeners.get(message.method) ?? []) listener(message.params);
    }
    const command = pending.get(message.id);
    pending.delete(message.id);
    if (message.error) command?.reject(new Error(message.error.message));
    else command?.resolve(message.result);
  });

  const connection: Connection = {
    send: (method, params = {}) =>
      new Promise((resolve, reject) => {
        if (socket.readyState !== WebSocket.OPEN) return reject(new Error(closedMessage));
        pending.set(++last, { resolve, reject });
        socket.send(JSON.stringify({ id: last, method, params }));
      }),
    on: (method, listener) =>
      void listeners.set(method, [...listeners.get(method) ?? [], listener]),
    close: async () => {
      socket.close();
      await closed;
    },
  };
  return new Promise((resolve, reject) => {
    socket.addEventListener("open", () => resolve(connection));
    socket.addEventListener("error", () => reject(new Error(`Cannot connect to ${url}`)));
  });
}

async function openTab(connection: Connection): Promise<Tab> {
  const complaints: string[] = [];
  for (const domain of ["Page", "Runtime", "Log", "Network"]) {
    await connection.send(`${domain}.enable`);
  }
  connection.on("Log.entryAdded", ({ entry }) => {
    const { text, url = "" } = entry as { text: string; url?: string };
    complaints.push(`${text} ${url}`.trim());
  });
  connection.on(
    "Runtime.exceptionThrown",
    ({ exceptionDetails }) => complaints.push(JSON.stringify(exceptionDetails)),
  );

  let documentId: unknown;
  connection.on("Network.responseReceived", ({ type, requestId }) => {
    if (type === "Document") documentId = requestId;
  });

  /** Calls a function, then waits until the next page has loaded. */
  async function andLoad(act: () => Promise<unknown>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => reject(new Error("The page did not load.")), patience);
    connection.on("Page.loadEventFired", () => resolve());
    try {
      await act();
      await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  async function evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await connection.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return (result as { value: T }).value;
  }

  const find = (selector: string) => `document.querySelector(${JSON.stringify(selector)})`;
  /** Waits until an element can be clicked. */
  async function enabled(selector: string): Promise<void> {
    const isEnabled = `!${find(selector)}.matches(":disabled, [aria-disabled=true]")`;
    await eventually(async () => {
      if (!await evaluate<boolean>(isEnabled)) throw new Error(`${selector} stays disabled.`);
    });
  }

  return {
    complaints,
    evaluate,
    send: connection.send,
    on: connection.on,
    goto: (url) => andLoad(() => connection.send("Page.navigate", { url })),
    click: async (selector) => {
      await enabled(selector);
      await andLoad(() => evaluate(`${find(selector)}.click()`));
    },
    type: async (selector, text) => {
      // The load that was waited for may have been that of a click before.
      await enabled(selector);
      await evaluate(`${find(selector)}.value = ${JSON.stringify(text)}`);
    },
    text: (selector) => evaluate(`${find(selector)}.textContent`),
    url: () => evaluate("location.href"),
    html: async () => {
      const { body } = await connection.send("Network.getResponseBody", { requestId: documentId });
      return String(body);
    },
    arrive: (prefix) =>
      eventually(async () => {
        const url = await evaluate<string>("location.href");
        if (url.startsWith(prefix)) return;
        throw new Error(`The browser did not reach ${prefix}; it is at ${url}: ${complaints}`);
      }),
    screenshot: async (path, below) => {
      // The picture has the width of the page; a scroll bar would cut it.
      await connection.send("Emulation.setScrollbarsHidden", { hidden: true });
      await eventually(async () => {
        if (await evaluate("document.documentElement.clientWidth < innerWidth")) {
          throw new Error("The page is still as wide as beside its scroll bar.");
        }
      });
      const top = `document.querySelector(${JSON.stringify(below)}).getBoundingClientRect().top`;
      const clip = below && {
        x: 0,
        y: 0,
        scale: 1,
        width: await evaluate("document.body.offsetWidth"),
        height: await evaluate(`scrollY + ${top}`),
      };
      const { data } = await connection.send("Page.captureScreenshot", {
        captureBeyondViewport: true,
        ...clip && { clip },
      });
      await writeFile(path, String(data), "base64");
    },
  };
}
