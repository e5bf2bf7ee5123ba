import type { PassedToShell } from "./messages.ts";

/**
 * Registers the service worker of a folder, which passes requests to a listener, and returns why
 * pages of the lab cannot be shown here.
 */
export async function serviceWorkerProblem(
  folder: string,
  listen: (message: MessageEvent<PassedToShell>) => void,
): Promise<string | undefined> {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined || !location.protocol.startsWith("http")) {
    return "The lab needs a service worker, which browsers have only on https and localhost, " +
      "and often not in a private window.";
  }
  try {
    serviceWorker.addEventListener("message", listen);
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

/**
 * Loads a new version, unless another tab runs a lab of the old one. Requests of the page before may
 * last: then a lab of the old version begins, and keeps its files.
 */
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
