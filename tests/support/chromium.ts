import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The path of Chromium; undefined if this machine has none. */
export const chromium: string | undefined = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
]
  .find((path) => existsSync(path));

const closedMessage = "The browser has closed the connection.";

const options = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--window-size=1100,1000",
];

/** One tab of a browser, driven over the DevTools protocol. */
export interface Tab {
  goto(url: string): Promise<void>;
  /** Sends a command of the DevTools protocol. */
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  /** Runs an expression in the page and returns its value. */
  evaluate<T>(expression: string): Promise<T>;
  /** Clicks on an element, as soon as it is enabled, and waits for the next page. */
  click(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  text(selector: string): Promise<string>;
  url(): Promise<string>;
  /** Returns the HTML of the page as the server sent it. */
  html(): Promise<string>;
  /** Waits until the URL begins with a prefix, however many redirects and scripts that takes. */
  arrive(prefix: string): Promise<void>;
  /** Writes a PNG of the whole page. */
  screenshot(path: string): Promise<void>;
  /** The errors of the page: blocked by a policy, thrown, not found. */
  complaints: string[];
}

/** Starts a browser with an empty profile, calls a function with a tab, and deletes the profile. */
export async function withChromium(use: (tab: Tab) => Promise<void>): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), "hallpass-chromium-"));
  if (!chromium) throw new Error("This machine has no Chromium.");
  const browser = spawn(chromium, [
    ...options,
    "--remote-debugging-port=0",
    `--user-data-dir=${profile}`,
    "about:blank",
  ], {
    stdio: "ignore",
  });
  const exited = new Promise((resolve) => browser.once("exit", resolve));
  try {
    const port = await debuggingPort(profile);
    const pages: Array<{ type: string; webSocketDebuggerUrl: string }> =
      await (await fetch(`http://127.0.0.1:${port}/json`)).json();
    const page = pages.find(({ type }) => type === "page");
    if (!page) throw new Error("The browser has no page.");
    const connection = await connect(page.webSocketDebuggerUrl);
    try {
      await use(await openTab(connection));
    } finally {
      // A browser that closes itself ends its helpers, too, which would still write to the profile.
      await connection.send("Browser.close").catch(() => {});
      await connection.close();
    }
  } finally {
    const timer = setTimeout(() => browser.kill("SIGKILL"), 5000);
    await exited;
    clearTimeout(timer);
    await rm(profile, { recursive: true, force: true });
  }
}

/** Reads the debugging port, which the browser writes to its profile. */
async function debuggingPort(profile: string): Promise<number> {
  const deadline = Date.now() + 20_000;
  while (Date.now() < deadline) {
    const text = await readFile(join(profile, "DevToolsActivePort"), "utf8").catch(() => "");
    if (text.includes("\n")) return Number(text.split("\n")[0]);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("Chromium did not start within 20 seconds.");
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
  connection.on(
    "Log.entryAdded",
    ({ entry }) => complaints.push(String((entry as { text: string }).text)),
  );
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
    const timer = setTimeout(
      () => reject(new Error("The page did not load within 15 seconds.")),
      15_000,
    );
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
    const deadline = Date.now() + 15_000;
    while (!await evaluate<boolean>(isEnabled)) {
      if (Date.now() > deadline) throw new Error(`${selector} stays disabled.`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  return {
    complaints,
    evaluate,
    send: connection.send,
    goto: (url) => andLoad(() => connection.send("Page.navigate", { url })),
    click: async (selector) => {
      await enabled(selector);
      await andLoad(() => evaluate(`${find(selector)}.click()`));
    },
    type: (selector, text) => evaluate(`${find(selector)}.value = ${JSON.stringify(text)}`),
    text: (selector) => evaluate(`${find(selector)}.textContent`),
    url: () => evaluate("location.href"),
    html: async () => {
      const { body } = await connection.send("Network.getResponseBody", { requestId: documentId });
      return String(body);
    },
    arrive: async (prefix) => {
      const deadline = Date.now() + 15_000;
      while (!(await evaluate<string>("location.href").catch(() => "")).startsWith(prefix)) {
        if (Date.now() > deadline) {
          throw new Error(
            `The browser did not reach ${prefix}; it is at ${await evaluate(
              "location.href",
            )}: ${complaints}`,
          );
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    screenshot: async (path) => {
      // The picture has the width of the page; a scroll bar would cut it.
      await connection.send("Emulation.setScrollbarsHidden", { hidden: true });
      const { data } = await connection.send("Page.captureScreenshot", {
        captureBeyondViewport: true,
      });
      await writeFile(path, String(data), "base64");
    },
  };
}
