import { demoUsers } from "../../src/lab/demo/demo_users.ts";
import type { Lab } from "../../src/lab/lab.ts";
import type { LabConfig } from "../../src/lab/lab_config.ts";
import { openLab } from "../../src/lab/open_lab.ts";
import { publicPasswords } from "../../src/lab/sign_in/one_click.ts";
import { makeTestKey } from "../../src/lab/tokens/test_keys.ts";
import { serve } from "../../src/runtime/serve.ts";
import { type Config, createServer } from "../../src/server/features.ts";
import { chromium, type Tab, withChromium } from "./chromium.ts";
import { eventually } from "./eventually.ts";

/** A web server of a test. */
export type Handler = (request: Request) => Promise<Response>;

/** Serves a handler while `act` runs. */
export async function listening<T>(
  handler: Handler,
  act: (origin: string) => Promise<T>,
): Promise<T> {
  const listener = await serve({ fetch: handler }, { port: 0 });
  try {
    return await act(`http://localhost:${listener.port}`);
  } finally {
    await listener.close();
  }
}

/** Opens a server as `hallpass serve` runs it in a browser, with the users and keys of a lab. */
export async function serverInBrowser(
  config: Partial<Config>,
  act: (tab: Tab, issuer: string) => Promise<void>,
): Promise<void> {
  const policies = { passwords: publicPasswords, makeKey: makeTestKey };
  await inChromium(
    (issuer) => createServer({ issuer, users: demoUsers, policies, ...config }),
    act,
  );
}

/** Opens a lab in a browser. */
export async function inBrowser(
  config: Partial<LabConfig> | ((issuer: string) => Partial<LabConfig>),
  act: (tab: Tab, issuer: string, lab: Lab) => Promise<void>,
): Promise<void> {
  const labs: Lab[] = [];
  const open = (issuer: string) => {
    const lab = openLab({ issuer, ...typeof config === "function" ? config(issuer) : config });
    labs.push(lab);
    return lab;
  };
  try {
    await inChromium(open, async (tab, issuer) => {
      for (const lab of labs) await act(tab, issuer, lab);
    });
  } finally {
    for (const lab of labs) await lab.close();
  }
}

/** A kind of tests that have a lab in a browser, and are skipped on a machine without Chromium. */
export function inBrowserWith(config: Parameters<typeof inBrowser>[0] = {}) {
  const skip = chromium ? false as const : "this machine has no Chromium";
  return { skip, around: (act: Parameters<typeof inBrowser>[1]) => inBrowser(config, act) };
}

/** Creates a server whose issuer is where it listens, and opens it in a browser. */
async function inChromium(
  create: (issuer: string) => { fetch: Handler },
  act: (tab: Tab, issuer: string) => Promise<void>,
): Promise<void> {
  const server = { fetch: async (_: Request) => new Response(null, { status: 503 }) };
  await listening((request) => server.fetch(request), async (issuer) => {
    server.fetch = create(issuer).fetch;
    await withChromium((tab) => act(tab, issuer));
  });
}

/** Waits until an expression is true in the page, which may be about to change. */
export async function until(
  tab: Pick<Tab, "evaluate" | "url">,
  expression: string,
  limit?: number,
): Promise<void> {
  await eventually(async () => {
    if (await tab.evaluate<boolean>(`Boolean(${expression})`)) return;
    throw new Error(`Never true: ${expression}, at ${await tab.url()}`);
  }, limit);
}
