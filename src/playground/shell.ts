import type { ApplicationPanel, PlaygroundLab } from "./application.ts";
import {
  applicationUri,
  findTab,
  type LabStart,
  type PassedResponse,
  type PassedToShell,
  type WorkerReport,
} from "./messages.ts";
import { serviceWorkerProblem } from "./register_service_worker.ts";

/** What a link may choose. It has names of what is built in, never code. */
interface Situation {
  preset: string;
  flow: string;
  /** The version of the application; undefined if it is closed. */
  app: string | undefined;
}

const folder = new URL("./", location.href).href;
/** No other page can guess it. The last part of a UUID is all random. */
const tab = `tab-${crypto.randomUUID().slice(-12)}`;
const labUrl = folder + tab;

const element = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const frame = element<HTMLIFrameElement>("lab");
const address = element<HTMLInputElement>("address");
const preset = element<HTMLSelectElement>("preset");
const state = element("state");
const application = element("application");
const applicationButton = element("open-application");

let worker: Worker | undefined;
let issuer = labUrl;
let flows = 0;
/** What the lab plays; empty if it is no provider. */
let played = "";
/** How many pages of this lab are before the one that is shown, in the history of the tab. */
let depth = 0;
let shownApp: string | undefined;
let panel: ApplicationPanel | undefined;
/** Whether the application opens after the first page: next to it there is room, as in the CSS. */
let opensApplication = location.hash === "" && matchMedia("(min-width: 60.01rem)").matches;

/** What the application may do with the lab. */
const lab: PlaygroundLab = {
  url: labUrl,
  issuer: () => issuer,
  send: (request) =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }: MessageEvent<PassedResponse>) => resolve(data);
      worker?.postMessage(request, [port2]);
    }),
  show: (url) => void (frame.contentWindow!.location.href = url),
  showInstead: (url) => frame.contentWindow!.location.replace(url),
};

void start();

async function start(): Promise<void> {
  const problem = await serviceWorkerProblem(folder, passToWorker);
  if (problem === undefined) await showSituation(readSituation());
  else say(problem);
}

/** Passes a request for the lab of this tab to it, and refuses that of another one. */
function passToWorker({ data, ports: [port] }: MessageEvent<PassedToShell>): void {
  if (!port) return;
  if (data.tab !== tab || !worker) port.postMessage(null);
  else worker.postMessage(data.request, [port]);
}

/** Opens a new lab, and one of its pages. What was in the lab before is gone. */
function openLab(path: string): Promise<void> {
  worker?.terminate();
  // A page of the lab before would look for it in the new one.
  frame.contentWindow!.location.replace("about:blank");
  flows = 0;
  depth = -1;
  played = preset.value;
  frame.hidden = true;
  say("Starting the lab …");
  const opened = worker = new Worker(document.body.dataset.worker!, { type: "module" });
  const { promise: ready, resolve: whenReady } = Promise.withResolvers<void>();
  opened.onmessage = ({ data }: MessageEvent<WorkerReport>) => {
    if (opened !== worker) return;
    if (data.type === "flows") flows = data.count;
    if (data.type === "event") {
      frame.contentWindow!.dispatchEvent(new CustomEvent("lab", { detail: data.event }));
    }
    if (data.type === "failed") say(`The lab did not start: ${data.reason}`);
    if (data.type !== "ready") return;
    issuer = data.issuer;
    say("");
    frame.hidden = false;
    frame.contentWindow!.location.replace(labUrl + path);
    whenReady();
  };
  opened.onerror = () => say("The lab did not start: its script could not be loaded.");
  const begin: LabStart = { url: labUrl, provider: played || undefined };
  opened.postMessage(begin);
  return ready;
}

function say(text: string): void {
  state.textContent = text;
  state.hidden = text === "";
}

/** Whether the flows of this lab may be lost, if it has any. */
function mayLoseFlows(): boolean {
  return flows === 0 || confirm("A new lab begins without the flows of this one. Begin it?");
}

/** Shows what a link chooses, in the lab that runs if it is the one. */
async function showSituation({ preset: chosen, flow, app }: Situation): Promise<void> {
  const path = flow === "start" ? "/start?client_id=demo-spa" : "/";
  if (!worker || chosen !== played) {
    if (worker && !mayLoseFlows()) return;
    preset.value = chosen;
    await openLab(path);
  } else if (flow === "start") {
    lab.show(labUrl + path);
  }
  await showApplication(app);
}

/** Opens or closes the panel of the application, whose code loads when it is opened. */
async function showApplication(app: string | undefined): Promise<void> {
  shownApp = app;
  application.hidden = app === undefined;
  applicationButton.setAttribute("aria-expanded", String(app !== undefined));
  if (app === undefined) return;
  if (!panel) {
    const module: typeof import("./application.ts") = await import(
      document.body.dataset.application!
    );
    panel = module.openApplication(lab);
  }
  application.scrollIntoView({ block: "nearest" });
  await panel.run(app);
}

frame.addEventListener("load", () => {
  const inside = frame.contentWindow!;
  const { href } = inside.location;
  const isRedirect = inside.document.documentElement.hasAttribute("data-redirect");
  if (findTab(href, folder) !== tab || isRedirect) return;
  notePlace(inside.history);
  const showUrl = () => showAddress(inside.location.href);
  showUrl();
  inside.addEventListener("hashchange", showUrl);
  inside.document.addEventListener("click", leaveInNewTab, { capture: true });
  if (href.startsWith(applicationUri(labUrl))) panel?.receive(href);
  navigator.serviceWorker.controller?.postMessage(document.body.dataset.worker);
  if (opensApplication) void showApplication("correct");
  opensApplication = false;
});

/** Shows a URL, from its path on where there is no room for all of it. */
function showAddress(url: string): void {
  address.value = url;
  const characters = labUrl.length / url.length;
  address.scrollLeft = address.clientWidth < 400 ? address.scrollWidth * characters : 0;
}

/** Notes how deep an entry of the history is: what was before the lab is not its page. */
function notePlace(history: History): void {
  depth = history.state?.depth ?? depth + 1;
  history.replaceState({ depth }, "");
}

/** A specification that a page links to opens in a tab of its own. */
function leaveInNewTab({ target }: Event): void {
  const link = (target as Element).closest<HTMLAnchorElement>("a[href]");
  if (link?.protocol.startsWith("http") && findTab(link.href, folder) !== tab) {
    link.target = "_blank";
    link.rel = "noopener";
  }
}

element("address-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const { href } = new URL(address.value, `${labUrl}/`);
  if (findTab(href, folder) === tab) lab.show(href);
  else address.value = frame.contentWindow!.location.href;
});

element("back").addEventListener("click", () => {
  // An entry that a page has made itself is never the first one. Until the first page of a lab has
  // loaded, what is before is not of this lab.
  if (depth >= 0 && frame.contentWindow!.history.state?.depth !== 0) history.back();
});
element("forward").addEventListener("click", () => history.forward());
element("reload").addEventListener("click", () => frame.contentWindow!.location.reload());

preset.addEventListener("change", () => {
  if (mayLoseFlows()) void openNewLab();
  else preset.value = played;
});

element("reset").addEventListener("click", () => {
  if (mayLoseFlows()) void openNewLab();
});

/** Opens a new lab. The application begins again, too: what it knows is of the lab before. */
async function openNewLab(): Promise<void> {
  await openLab("/");
  await showApplication(shownApp);
}

applicationButton.addEventListener("click", () => {
  void showApplication(shownApp === undefined ? "correct" : undefined);
});

element("copy").addEventListener("click", async ({ currentTarget }) => {
  const chosen = new URLSearchParams({ preset: played || "plain" });
  // A flow that is on its way, or has just ended, ends with this lab: the link begins one like it.
  if (/\/(?:oauth2\/interaction\/|authorized\?)/.test(address.value)) chosen.set("flow", "start");
  if (shownApp !== undefined) chosen.set("app", shownApp);
  const link = `${folder}#${chosen}`;
  await navigator.clipboard.writeText(link).catch(() => prompt("The link:", link));
  (currentTarget as HTMLElement).textContent = "Copied";
});

addEventListener("beforeunload", (event) => {
  if (flows > 0) event.preventDefault();
});

addEventListener("hashchange", () => void showSituation(readSituation()));

/** Reads what the link chooses. Unknown names choose nothing. */
function readSituation(): Situation {
  const given = new URLSearchParams(location.hash.slice(1));
  const named = given.get("preset") ?? played;
  const isKnown = [...preset.options].some(({ value }) => value === named);
  const app = given.get("app") ?? undefined;
  return { preset: isKnown ? named : "", flow: given.get("flow") ?? "", app };
}
