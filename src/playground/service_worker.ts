import { findTab, type PassedRequest, type PassedResponse } from "./messages.ts";

/** The name of this version, which the build writes. */
declare const playgroundVersion: string;

/** A window of the playground. */
interface WindowClient {
  readonly url: string;
  postMessage(message: { tab: string; request: PassedRequest }, transfer: MessagePort[]): void;
}

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface RequestEvent extends WorkerEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/** The part of the global object that this worker uses, which the library of types lacks. */
interface ServiceWorkerScope {
  readonly registration: { readonly scope: string };
  readonly clients: {
    matchAll(options: { type: "window"; includeUncontrolled: true }): Promise<WindowClient[]>;
    claim(): Promise<void>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listen: (event: WorkerEvent) => void): void;
  addEventListener(type: "fetch", listen: (event: RequestEvent) => void): void;
  addEventListener(
    type: "message",
    listen: (event: WorkerEvent & MessageEvent<"activate" | "keep">) => void,
  ): void;
}

const scope = globalThis as unknown as ServiceWorkerScope;
const folder = scope.registration.scope;
/** Another playground of the origin has other caches. */
const cacheOfVersion = (version: string) => `hallpass-playground ${folder} ${version}`;
const cacheName = cacheOfVersion(playgroundVersion);

/** Statuses whose responses have no body (Fetch, section 2.2.3). */
const bodiless = [204, 205, 304];

scope.addEventListener(
  "install",
  (event) => event.waitUntil(caches.open(cacheName).then((cache) => cache.add(folder))),
);

scope.addEventListener(
  "activate",
  (event) => event.waitUntil(removeOtherVersions().then(() => scope.clients.claim())),
);

scope.addEventListener("message", (event) => {
  // A lab that runs keeps its version: only a shell that has not started one asks for another.
  if (event.data === "activate") event.waitUntil(activateAlone());
  if (event.data === "keep") event.waitUntil(keepFiles());
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (!request.url.startsWith(folder)) return;
  const tab = findTab(request.url, folder);
  event.respondWith(tab === undefined ? respondWithFile(request) : passOn(tab, request));
});

async function windows(): Promise<WindowClient[]> {
  return await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
}

function isShell({ url }: WindowClient): boolean {
  return url.split(/[?#]/)[0] === folder || url.startsWith(`${folder}index.html`);
}

async function activateAlone(): Promise<void> {
  const shells = (await windows()).filter(isShell);
  if (shells.length === 1) await scope.skipWaiting();
}

async function removeOtherVersions(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith(cacheOfVersion("")) && name !== cacheName) await caches.delete(name);
  }
}

/** Keeps every file of this version, to work without a network. */
async function keepFiles(): Promise<void> {
  const cache = await caches.open(cacheName);
  const list = `${folder}files-${playgroundVersion}/files.json`;
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
  const kept = await (await caches.open(cacheName)).match(origin + pathname);
  return kept ?? await fetch(request);
}

/** Passes a request on to the shell that has the lab of the tab. Each shell is asked. */
async function passOn(tab: string, request: Request): Promise<Response> {
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const passed: PassedRequest = {
    url: request.url.split("#")[0] ?? request.url,
    method: request.method,
    headers: [...request.headers],
    body: hasBody ? await request.arrayBuffer() : undefined,
  };
  const shells = (await windows()).filter(isShell);
  const asked = shells.map((shell) => ask(shell, tab, passed));
  return await Promise.any(asked).catch(() => endedResponse());
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
  const hasBody = !bodiless.includes(status) && (status < 300 || status >= 400);
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
  const text =
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>This lab has ended</title>
<h1>This lab has ended</h1><p>A lab lives as long as its tab. <a href="${folder}">Open a new one</a>.</p>`;
  return new Response(text, { status: 404, headers: { "Content-Type": "text/html" } });
}
