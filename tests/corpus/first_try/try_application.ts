import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Tab, withChromium } from "../../support/chromium.ts";
import { addPasskeyDevice } from "../../support/passkey_device.ts";
import { installed } from "../harness/installations.ts";
import { openProgramServer, type ProgramServer } from "../harness/program_server.ts";
import { type StartedEntry, startEntry } from "../harness/start_entry.ts";
import { type Fact, facts, type TriedApplication, type Visit } from "./entry.ts";
import { goOn, has, textOf } from "./person.ts";

/** How it went. What is missing does not apply. */
export interface Tried {
  /** Why a step failed; those after it did not take place. */
  problem?: string;
  learned: Fact[];
  refreshed?: boolean;
  signedOut?: "both" | "it" | "no";
  heardSignOut?: boolean;
  seconds: number;
}

/** How long a page gets to show a user who has signed out, in milliseconds. */
const quietTime = 4_000;

/** How the client of an application is made. */
export type Way = "--app" | "by hand";

/** Connects an application by what `client add` prints, and uses it in a browser. */
export async function tryApplication(
  application: TriedApplication,
  shared: ProgramServer,
  way: Way,
  byPasskey: boolean,
): Promise<Tried> {
  const cwd = await installed(application.toolchain);
  const folder = await mkdtemp(join(cwd, "run-"));
  const lines = join(folder, application.linesFile ?? "lines");
  await mkdir(dirname(lines), { recursive: true });
  let server = shared;
  const env = { LINES: lines, RUN: folder };
  try {
    const { base, started } = await startEntry(application, shared, env, async (base) => {
      if (application.registers) {
        server = await openProgramServer(shared.runtime, application.registers(base));
        return { ISSUER: server.issuer };
      }
      const { text, secret } = await addClient(application, shared, base, way);
      await writeFile(lines, `${text}\n`);
      return { HALLPASS_SECRET: secret };
    });
    const began = performance.now();
    let tried: Omit<Tried, "seconds"> = { learned: [] };
    try {
      await withChromium(async (tab) => {
        if (byPasskey && server === shared) await getPasskey(server, tab);
        tried = await use(application, server, { base, started }, tab);
      });
    } finally {
      await started[Symbol.asyncDispose]();
    }
    return { ...tried, seconds: (performance.now() - began) / 1000 };
  } finally {
    if (server !== shared) await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Gives the browser a passkey of the user, by the link that an operator sends her. */
async function getPasskey({ run }: ProgramServer, tab: Tab): Promise<void> {
  await addPasskeyDevice(tab);
  const link = await run("hallpass user passkeys ada --reset --json");
  await tab.goto(JSON.parse(link.slice(link.indexOf("{"))).url);
  await tab.click("#add-passkey-button");
  if (!/Your passkey is saved/.test(await textOf(tab))) throw new Error(await textOf(tab));
}

async function addClient(
  { app, path = "", turnsPkceOn = /(?!)/ }: TriedApplication,
  { run }: ProgramServer,
  base: string,
  way: Way,
): Promise<{ text: string; secret: string }> {
  const id = app;
  const printed = await run(
    `hallpass client add ${id} --app ${app} --url ${base}${path} --json 2>/dev/null`,
  );
  const { secret = "", application: { text } } = JSON.parse(printed);
  if (way === "--app") return { text, secret };
  // What an administrator would have entered who knows the redirect URI alone.
  const { redirectUris } = JSON.parse(await run(`hallpass client show ${id} --json`));
  await run(`hallpass client remove ${id}`);
  const uris = redirectUris.map((uri: string) => `--redirect-uri ${uri}`).join(" ");
  const again = JSON.parse(await run(`hallpass client add ${id} --secret ${uris} --json`));
  return {
    text: text.replaceAll(secret, again.secret).replace(turnsPkceOn, ""),
    secret: again.secret,
  };
}

/** Where an application is used, and what came of it. */
interface Use {
  application: TriedApplication;
  server: ProgramServer;
  visit: Visit;
  /** Whether a page shows the user, in a page. */
  isKnown: string;
  tried: Omit<Tried, "seconds">;
}

async function use(
  application: TriedApplication,
  server: ProgramServer,
  { base, started }: StartedEntry,
  tab: Tab,
): Promise<Omit<Tried, "seconds">> {
  const { issuer } = server;
  const { press, learns: [first = "name"] } = application;
  const isKnown = has(facts[first]);
  const visit: Visit = {
    ...{ tab, base, issuer },
    async open(path) {
      await tab.goto(base + path);
      await goOn(tab, issuer, { press, until: isKnown });
    },
    status: (path) => tab.evaluate(`fetch(${JSON.stringify(path)}).then(({ status }) => status)`),
  };
  const using: Use = { application, server, visit, isKnown, tried: { learned: [] } };
  try {
    for (const step of [signIn, refresh, hearSignOut, signOut]) await step(using);
  } catch (cause) {
    using.tried.problem = `${(cause as Error).message}\n${started.output().slice(-1500)}`;
  }
  return using.tried;
}

async function signIn({ application, visit, tried }: Use): Promise<void> {
  const { account, begin, press, learns, read } = application;
  const { tab, base, issuer, open } = visit;
  await tab.goto(base + begin);
  await goOn(tab, issuer, { press });
  await open(account);
  const page = await tab.evaluate<string>("document.documentElement.outerHTML");
  const known = page + await read?.(visit);
  tried.learned = learns.filter((fact) => facts[fact].test(known));
}

async function refresh({ application, server, visit, tried }: Use): Promise<void> {
  if (application.refresh === undefined) return;
  tried.refreshed = false;
  await application.refresh(visit);
  tried.refreshed = await hasRefreshed(server.log, application);
}

/** Ends the user's sessions at the server, as an administrator does, and signs in again. */
async function hearSignOut({ application, server, visit, isKnown, tried }: Use): Promise<void> {
  if (!application.hearsSignOut) return;
  await server.run("hallpass user sign-out ada");
  tried.heardSignOut = await isSignedOut(visit, application.account, isKnown);
  await visit.open(application.account);
}

async function signOut({ application, visit, isKnown, tried }: Use): Promise<void> {
  if (application.signOut === undefined) return;
  const { path, press } = application.signOut;
  const { tab, base, issuer } = visit;
  await tab.goto(base + path.replace("{url}", base));
  // The page of the server that says so has nothing to press.
  await goOn(tab, issuer, { press, until: `!(${isKnown})`, signsIn: false }).catch(() => {});
  const isOut = await isSignedOut(visit, application.account, isKnown);
  await tab.goto(`${issuer}/account`);
  const asks = await tab.evaluate<boolean>("document.querySelector('input#password') !== null");
  tried.signedOut = !isOut ? "no" : asks ? "both" : "it";
}

/** Whether the server has issued tokens for a refresh token of an application. */
async function hasRefreshed(
  log: string,
  { app, registers }: TriedApplication,
): Promise<boolean> {
  // One that registers has a server of its own.
  const client = registers ? "" : `"client":"${app}"`;
  const lines = (await readFile(log, "utf8")).split("\n");
  return lines.some((line) =>
    line.includes(client) && line.includes('"grantType":"refresh_token"')
  );
}

/** Whether a page leads to the server, or shows nothing of the user for some time. */
async function isSignedOut(
  { tab, base, issuer }: Visit,
  path: string,
  isKnown: string,
): Promise<boolean> {
  let asked = false;
  tab.on("Network.requestWillBeSent", ({ request }) => {
    asked ||= (request as { url: string }).url.startsWith(issuer);
  });
  await tab.goto(base + path);
  const end = performance.now() + quietTime;
  while (performance.now() < end && !asked) {
    if (await tab.evaluate<boolean>(isKnown).catch(() => false)) return asked;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return true;
}
