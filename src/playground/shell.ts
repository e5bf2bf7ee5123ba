import { findTab, type LabStart, type PassedRequest, type WorkerReport } from "./messages.ts";

/** What a link may choose. It has names of what is built in, never code. */
interface Situation {
  preset: string;
  flow: string;
}

/** A request that the service worker passes to all shells. */
interface Passed {
  tab: string;
  request: PassedRequest;
}

const folder = new URL("./", location.href).href;
const tab = `tab-${crypto.randomUUID().slice(0, 4)}`;
const issuer = folder + tab;

const element = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const frame = element<HTMLIFrameElement>("lab");
const address = element<HTMLInputElement>("address");
const preset = element<HTMLSelectElement>("preset");
const state = element("state");

let worker: Worker | undefined;
let flows = 0;

void start();

async function start(): Promise<void> {
  const problem = await serviceWorkerProblem();
  if (problem !== undefined) return say(problem);
  const { preset: chosen, flow } = readSituation();
  preset.value = chosen;
  openLab(flow === "start" ? "/start?client_id=demo-spa" : "/");
}

/** Registers the service worker, and returns why pages of the lab cannot be shown here. */
async function serviceWorkerProblem(): Promise<string | undefined> {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) {
    return "The lab needs a service worker, which this browser has only on https and localhost, " +
      "and often not in a private window.";
  }
  try {
    serviceWorker.addEventListener("message", passToWorker);
    serviceWorker.startMessages();
    const registration = await serviceWorker.register(`${folder}sw.js`, { updateViaCache: "none" });
    if (registration.waiting && serviceWorker.controller) await activate(registration.waiting);
    await serviceWorker.ready;
    if (!serviceWorker.controller) await nextController();
    return undefined;
  } catch (cause) {
    return `The lab needs a service worker, which this browser refuses to start: ${cause}`;
  }
}

/** Loads a new version, unless another tab runs a lab of the old one. */
async function activate(waiting: ServiceWorker): Promise<void> {
  waiting.postMessage("activate");
  const isActive = await Promise.race([
    nextController().then(() => true),
    new Promise<boolean>((resolve) => setTimeout(resolve, 1000, false)),
  ]);
  if (isActive) location.reload();
}

function nextController(): Promise<void> {
  return new Promise((resolve) =>
    navigator.serviceWorker.addEventListener("controllerchange", () => resolve(), { once: true })
  );
}

/** Passes a request for the lab of this tab to it, and refuses that of another one. */
function passToWorker({ data, ports: [port] }: MessageEvent<Passed>): void {
  if (!port) return;
  if (data.tab !== tab || !worker) port.postMessage(null);
  else worker.postMessage(data.request, [port]);
}

/** Opens a new lab, and one of its pages. What was in the lab before is gone. */
function openLab(path: string): void {
  worker?.terminate();
  flows = 0;
  frame.hidden = true;
  say("Starting the lab …");
  worker = new Worker(document.body.dataset.worker!, { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<WorkerReport>) => {
    if (data.type === "flows") flows = data.count;
    if (data.type === "failed") say(`The lab did not start: ${data.reason}`);
    if (data.type === "ready") show(issuer + path);
  };
  worker.onerror = () => say("The lab did not start: its script could not be loaded.");
  const begin: LabStart = { issuer, provider: preset.value || undefined };
  worker.postMessage(begin);
}

function say(text: string): void {
  state.textContent = text;
  state.hidden = text === "";
}

function show(url: string): void {
  say("");
  frame.hidden = false;
  frame.contentWindow!.location.replace(url);
}

/** Whether the flows of this lab may be lost, if it has any. */
function mayLoseFlows(): boolean {
  return flows === 0 || confirm("A new lab begins without the flows of this one. Begin it?");
}

frame.addEventListener("load", () => {
  const inside = frame.contentWindow!;
  const { href } = inside.location;
  if (findTab(href, folder) !== tab) return;
  const showUrl = () => void (address.value = inside.location.href);
  showUrl();
  inside.addEventListener("hashchange", showUrl);
  navigator.serviceWorker.controller?.postMessage("keep");
});

element("address-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const { href } = new URL(address.value, `${issuer}/`);
  if (findTab(href, folder) === tab) frame.contentWindow!.location.href = href;
  else address.value = frame.contentWindow!.location.href;
});

element("back").addEventListener("click", () => history.back());
element("forward").addEventListener("click", () => history.forward());
element("reload").addEventListener("click", () => frame.contentWindow!.location.reload());

let played = "";
preset.addEventListener("change", () => {
  if (!mayLoseFlows()) {
    preset.value = played;
    return;
  }
  played = preset.value;
  openLab("/");
});

element("reset").addEventListener("click", () => {
  if (mayLoseFlows()) openLab("/");
});

element("copy").addEventListener("click", async ({ currentTarget }) => {
  const link = `${folder}#${new URLSearchParams({ preset: preset.value || "plain" })}`;
  await navigator.clipboard.writeText(link).catch(() => prompt("The link:", link));
  (currentTarget as HTMLElement).textContent = "Copied";
});

addEventListener("beforeunload", (event) => {
  if (flows > 0) event.preventDefault();
});

addEventListener("hashchange", () => location.reload());

/** Reads what the link chooses. Unknown names choose nothing. */
function readSituation(): Situation {
  const given = new URLSearchParams(location.hash.slice(1));
  const named = given.get("preset") ?? "";
  const isKnown = [...preset.options].some(({ value }) => value === named);
  played = isKnown ? named : "";
  return { preset: played, flow: given.get("flow") ?? "" };
}
