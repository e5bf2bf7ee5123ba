/** What the shell, the service worker and the worker of a tab send each other. */

/** A request of a page, as the service worker passes it on. */
export interface PassedRequest {
  url: string;
  method: string;
  headers: Array<[name: string, value: string]>;
  body?: ArrayBuffer | undefined;
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
  issuer: string;
  provider: string | undefined;
}

/** What a worker reports to its shell. */
export type WorkerReport =
  | { type: "ready" }
  | { type: "failed"; reason: string }
  | { type: "flows"; count: number };

/** How the paths of tabs begin, below the folder of the playground. */
export const tabPrefix = "tab-";

/** Returns the tab that a URL belongs to, if it is one below the folder. */
export function findTab(url: string, folder: string): string | undefined {
  if (!url.startsWith(`${folder}${tabPrefix}`)) return undefined;
  return /^[\w-]+/.exec(url.slice(folder.length))?.[0];
}
