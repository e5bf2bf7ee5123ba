import { createLabServer, type LabConfig } from "../../src/lab/lab_server.ts";
import { serve } from "../../src/runtime/serve.ts";
import { type Tab, withChromium } from "./chromium.ts";

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

/** Opens a lab in a browser. */
export async function inBrowser(
  config: Partial<LabConfig> | ((issuer: string) => Partial<LabConfig>),
  act: (tab: Tab, issuer: string) => Promise<void>,
): Promise<void> {
  const server = { fetch: async (_: Request) => new Response(null, { status: 503 }) };
  await listening((request) => server.fetch(request), async (issuer) => {
    server.fetch =
      createLabServer({ issuer, ...typeof config === "function" ? config(issuer) : config }).fetch;
    await withChromium((tab) => act(tab, issuer));
  });
}
