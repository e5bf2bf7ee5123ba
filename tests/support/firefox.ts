import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "./eventually.ts";

/** The path of Firefox; undefined if this machine has none. */
export const firefox = ["/usr/bin/firefox-esr", "/usr/bin/firefox"]
  .find((path) => existsSync(path));

/** The parts of an event that tests read. */
export interface FirefoxEvent {
  /** The tab or frame that a dialog is about. */
  context: string;
  /** What is logged, and how important it is. */
  level: string;
  text: string;
  /** The kind of a dialog. */
  type: string;
}

/** One tab of Firefox, driven by WebDriver BiDi. */
export interface FirefoxTab {
  /** Sends a command, about this tab unless its parameters name another context. */
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  /** Runs an expression in the page and returns its value. */
  evaluate<T>(expression: string): Promise<T>;
}

type Listener = (method: string, event: FirefoxEvent) => void;

interface Session {
  send: FirefoxTab["send"];
  listeners: Set<Listener>;
}

/**
 * Ends the browser when the process of the test ends, however it does: the standard input closes
 * then.
 */
const wrap = `
  "$@" --profile "$0" --remote-debugging-port 0 about:blank &
  cat
  kill -9 $!
  until rm -rf "$0"; do sleep 0.1; done
  kill -9 0`;

const events = ["log.entryAdded", "browsingContext.userPromptOpened"];

let running: Promise<Session> | undefined;

/**
 * Calls a function with a tab that shares cookies and storage with no other. While it is open, the
 * listener gets the events of each tab. What is not for this machine goes to a proxy.
 */
export async function withFirefox(
  { proxy, listener }: { proxy: string; listener: Listener },
  use: (tab: FirefoxTab) => Promise<void>,
): Promise<void> {
  running ??= startFirefox();
  const { send, listeners } = await running;
  const { userContext } = await send("browser.createUserContext", {
    proxy: { proxyType: "manual", httpProxy: proxy, sslProxy: proxy },
  });
  listeners.add(listener);
  try {
    const { context } = await send("browsingContext.create", { type: "tab", userContext });
    await use({
      send: (method, params) => send(method, { context, ...params }),
      evaluate: async <T>(expression: string) => {
        const { result, exceptionDetails } = await send("script.evaluate", {
          expression: `(async () => JSON.stringify(await (${expression})))()`,
          target: { context },
          awaitPromise: true,
        });
        if (exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
        const { value } = result as { value?: string };
        return (value === undefined ? undefined : JSON.parse(value)) as T;
      },
    });
  } finally {
    listeners.delete(listener);
    await send("browser.removeUserContext", { userContext });
  }
}

/** Starts the browser that all tests of this process share. */
async function startFirefox(): Promise<Session> {
  if (!firefox) throw new Error("This machine has no Firefox.");
  const profile = await mkdtemp(join(tmpdir(), "hallpass-firefox-"));
  spawn("sh", ["-c", wrap, profile, firefox, "--headless", "--no-remote"], {
    stdio: ["pipe", "ignore", "ignore"],
    // In a process group of its own, which ends as a whole.
    detached: true,
  }).unref();
  // The browser writes its port to its profile.
  const port = await eventually(async () =>
    JSON.parse(await readFile(join(profile, "WebDriverBiDiServer.json"), "utf8")).ws_port
  );
  const session = await connect(`ws://127.0.0.1:${port}/session`);
  // A test handles each dialog.
  const capabilities = { alwaysMatch: { unhandledPromptBehavior: { default: "ignore" } } };
  await session.send("session.new", { capabilities });
  await session.send("session.subscribe", { events });
  return session;
}

async function connect(url: string): Promise<Session> {
  const socket = new WebSocket(url);
  const listeners = new Set<Listener>();
  const pending = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  socket.addEventListener("message", ({ data }) => {
    const { type, id, method, params, result, error, message } = JSON.parse(String(data));
    if (type === "event") return listeners.forEach((listen) => listen(method, params));
    if (type === "error") pending.get(id)?.reject(new Error(`${error}: ${message}`));
    else pending.get(id)?.resolve(result);
    pending.delete(id);
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error(`Cannot connect to ${url}`)));
  });
  let last = 0;
  return {
    listeners,
    send(method, params = {}) {
      const command = Promise.withResolvers<Record<string, unknown>>();
      pending.set(++last, command);
      socket.send(JSON.stringify({ id: last, method, params }));
      return command.promise;
    },
  };
}
