import ended from "../../static/playground_ended.html" with { type: "text" };
import {
  findTab,
  type PassedRequest,
  type PassedResponse,
  type PassedToShell,
} from "./messages.ts";

/** The name of this version, which the build writes. */
declare const playgroundVersion: string;

interface WindowClient {
  readonly url: string;
  postMessage(message: PassedToShell, transfer: MessagePort[]): void;
}

/** An event of this worker: a request, a message, or a step of its life. */
interface WorkerEvent {
  readonly request: Request;
  /** "activate", or the script of the worker whose lab a shell shows. */
  readonly data: string;
  waitUntil(work: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}

/** The part of the global object that this worker uses, which the library of types lacks. */
interface ServiceWorkerScope {
  readonly registration: { scope: string; installing: object | null; waiting: object | null };
  readonly clients: {
    matchAll(options: { type: "window"; includeUncontrolled: true }): Promise<WindowClient[]>;
    claim(): Promise<void>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(
    type: "install" | "activate" | "message" | "fetch",
    listen: (event: WorkerEvent) => void,
  ): void;
}

/** A dark page does not flash between two others. */
const redirectPage =
  '<!doctype html><html lang="en" data-redirect><meta name="color-scheme" content="light dark">' +
  "<title>Redirect</title>";

const scope = globalThis as unknown as ServiceWorkerScope;
const folder = scope.registration.scope;
/** Another playground of the origin has other caches. */
const cacheOfVersion = (version: string) => `hallpass-playground ${folder} ${version}`;
const cacheName = cacheOfVersion(playgroundVersion);
const files = `files-${playgroundVersion}/`;

scope.addEventListener(
  "install",
  (event) => event.waitUntil(caches.open(cacheName).then((cache) => cache.add(folder))),
);

scope.addEventListener(
  "activate",
  (event) => event.waitUntil(scope.clients.claim()),
);

scope.addEventListener("message", (event) => {
  // A lab that runs keeps its version: only a shell that has not started one asks for another.
  if (event.data === "activate") event.waitUntil(activateAlone());
  if (event.data === `${files}worker.js`) event.waitUntil(keepFiles().then(removeOldVersions));
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (!request.url.startsWith(folder)) return;
  const tab = findTab(request.url, folder);
  event.respondWith(tab === undefined ? respondWithFile(request) : passOn(tab, request));
});

/** Returns the windows of this playground that have a lab, or open one. */
async function findShells(): Promise<WindowClient[]> {
  const windows = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  return windows.filter(({ url }) =>
    url.split(/[?#]/)[0] === folder || url.startsWith(`${folder}index.html`)
  );
}

async function activateAlone(): Promise<void> {
  if ((await findShells()).length === 1) await scope.skipWaiting();
}

/** Removes the files of older versions, unless another tab may have a lab of one. */
async function removeOldVersions(): Promise<void> {
  const { installing, waiting } = scope.registration;
  if (installing || waiting || (await findShells()).length > 1) return;
  for (const name of await caches.keys()) {
    if (name.startsWith(cacheOfVersion("")) && name !== cacheName) await caches.delete(name);
  }
}

/** Keeps every file of this version, to work without a network. */
async function keepFiles(): Promise<void> {
  const cache = await caches.open(cacheName);
  const list = `${folder}${files}files.json`;
  if (await cache.match(list)) return;
  const names: string[] = await (await fetch(list)).json();
  const urls = names.map((name) => new URL(name, list).href);
  const missing = await Promise.all(
    urls.map(async (url) => await cache.match(url) ? [] : [url]),
  );
  await cache.addAll(missing.flat());
  // The list comes last: it says that the others are there.
  await cache.add(list);
}

async function respondWithFile(request: Request): Promise<Response> {
  const { pathname, origin } = new URL(request.url);
  const url = origin + pathname;
  const own = await caches.open(cacheName);
  // A lab that began before this version has files of its own.
  const kept = await own.match(url) ?? await caches.match(url);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok && url.startsWith(folder + files)) await own.put(url, response.clone());
  return response;
}

/** Passes a request on to the shell that has the lab of the tab. Each shell is asked. */
async function passOn(tab: string, request: Request): Promise<Response> {
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const passed: PassedRequest = {
    url: request.url.split("#")[0] ?? request.url,
    method: request.method,
    headers: hasBody ? [...request.headers, ["Origin", originOf(request)]] : [...request.headers],
    body: hasBody ? await request.arrayBuffer() : undefined,
  };
  const asked = (await findShells()).map((shell) => ask(shell, tab, passed));
  const response = await Promise.any(asked).catch(() => endedResponse());
  return request.mode === "navigate" ? withoutRedirect(response, request.url) : response;
}

/** Goes on by a page: Firefox logs each redirect of a service worker as an error. */
function withoutRedirect(response: Response, from: string): Response {
  const location = response.headers.get("Location");
  if (location === null || response.status < 300 || response.status >= 400) return response;
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    Refresh: `0;url=${new URL(location, from).href}`,
  };
  return new Response(redirectPage, { headers });
}

/**
 * Returns the origin that a request came from, which browsers hide from service workers. Only pages
 * of this origin fetch below its folder; a form may come from any page (Fetch, section 3.2).
 */
function originOf({ mode, referrer }: Request): string {
  const { origin } = new URL(folder);
  if (mode !== "navigate") return origin;
  return referrer === "" ? "null" : new URL(referrer).origin;
}

/** Asks a shell, which refuses what belongs to another tab. */
function ask(shell: WindowClient, tab: string, request: PassedRequest): Promise<Response> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    port1.onmessage = ({ data }: MessageEvent<PassedResponse | null>) => {
      if (data === null) reject(new Error("This is another tab."));
      else resolve(toResponse(data, port1));
    };
    shell.postMessage({ tab, request }, [port2]);
  });
}

function toResponse({ status, headers, body }: PassedResponse, port: MessagePort): Response {
  // Fetch, section 2.2.3; and a redirect needs none.
  const hasBody = ![204, 205, 304].includes(status) && (status < 300 || status >= 400);
  if (!hasBody) return new Response(null, { status, headers });
  return new Response(body === undefined ? partsFrom(port) : body, { status, headers });
}

/** Returns the body whose parts come on a port, and null at its end. */
function partsFrom(port: MessagePort): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      port.onmessage = ({ data }: MessageEvent<Uint8Array<ArrayBuffer> | null>) => {
        if (data === null) controller.close();
        else controller.enqueue(data);
      };
    },
    cancel: () => port.postMessage("cancel"),
  });
}

function endedResponse(): Response {
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  return new Response(ended.replace("{folder}", folder), { status: 404, headers });
}
