import { serve, type ServedApplication } from "../../src/runtime/serve.ts";

type Fetch = ServedApplication["fetch"];

/** Listens on a free port while a test acts. */
export async function serving(
  application: Fetch | ServedApplication,
  act: (port: number) => Promise<void>,
): Promise<void> {
  const served = typeof application === "function" ? { fetch: application } : application;
  const listening = await serve(served, { port: 0 });
  try {
    await act(listening.port);
  } finally {
    await listening.close();
  }
}
