import { createLabServer, type LabConfig } from "../../src/lab/lab_server.ts";
import { serve } from "../../src/runtime/serve.ts";
import { type Tab, withChromium } from "./chromium.ts";

/** What a web server of a test says. */
export type Answer = (request: Request) => Promise<Response>;

/** Listens as long as `act` takes. */
export async function listening<T>(
  answer: Answer,
  act: (origin: string) => Promise<T>,
): Promise<T> {
  const door = await serve({ fetch: answer }, { port: 0 });
  try {
    return await act(`http://localhost:${door.port}`);
  } finally {
    await door.close();
  }
}

/** A lab with a browser before it. */
export async function inBrowser(
  config: Partial<LabConfig> | ((issuer: string) => Partial<LabConfig>),
  act: (tab: Tab, issuer: string) => Promise<void>,
): Promise<void> {
  const door = { fetch: async (_: Request) => new Response(null, { status: 503 }) };
  await listening((request) => door.fetch(request), async (issuer) => {
    door.fetch =
      createLabServer({ issuer, ...typeof config === "function" ? config(issuer) : config }).fetch;
    await withChromium((tab) => act(tab, issuer));
  });
}
