/** Sends a request, and reads its response to the end. */
export async function send(url: string, init: RequestInit = {}): Promise<void> {
  const response = await fetch(url, { redirect: "manual", ...init });
  await response.body?.cancel();
}

/** Sends a value as JSON. */
export async function sendJson(method: string, url: string, body: unknown = {}): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  await send(url, { method, headers, body: JSON.stringify(body) });
}
