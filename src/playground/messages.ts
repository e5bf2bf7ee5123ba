/** What the shell, the service worker and the worker of a tab send each other. */

/** A request of a page, as the service worker passes it on. */
export interface PassedRequest {
  url: string;
  method: string;
  headers: Array<[name: string, value: string]>;
  body?: ArrayBuffer | undefined;
  /** Whether the application sends it: it has no cookies of the lab's pages. */
  isOfApplication?: boolean;
}

/** A request as all shells get it: each has the lab of one tab. */
export interface PassedToShell {
  tab: string;
  request: PassedRequest;
}

/** The response of a lab. What follows it on the same port are the parts of a body that flows. */
export interface PassedResponse {
  status: number;
  headers: Array<[name: string, value: string]>;
  /** Undefined if the parts of the body follow. */
  body: string | Uint8Array<ArrayBuffer> | null | undefined;
}

/** What a shell asks its worker to open. */
export interface LabStart {
  /** Where the lab is, below the folder of the playground. */
  url: string;
  provider: string | undefined;
}

export type WorkerReport =
  | { type: "ready"; issuer: string }
  | { type: "failed"; reason: string }
  | { type: "flows"; count: number }
  | { type: "event"; event: PassedEvent };

/** What a page of the lab needs of an event, to follow it. */
export interface PassedEvent {
  type: string;
  /** The time of the lab, if that moved, and whether it stands still. */
  now?: string;
  frozen?: boolean;
}

/** What the application asks of its shell, with a port for the response. */
export type ApplicationMessage =
  | { type: "fetch"; request: PassedRequest }
  | { type: "open"; url: string };

/** How the paths of tabs begin, below the folder of the playground. */
export const tabPrefix = "tab-";

/** Returns the tab that a URL belongs to, if it is one below the folder. */
export function findTab(url: string, folder: string): string | undefined {
  if (!url.startsWith(`${folder}${tabPrefix}`)) return undefined;
  return /^[\w-]+/.exec(url.slice(folder.length))?.[0];
}

/** Whether a URL is that of a lab, or below it. */
export function isBelow(url: string, lab: string): boolean {
  return url === lab || url.startsWith(`${lab}/`) || url.startsWith(`${lab}?`);
}

/** Returns where the browser comes back to the application: no page of the lab is there. */
export function applicationUri(lab: string): string {
  return `${lab}.app/callback`;
}
