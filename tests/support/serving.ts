import { serve } from "../../src/runtime/serve.ts";

type Fetch = (request: Request) => Promise<Response>;

/** Listens on a free port while a test acts. */
export async function serving(fetch: Fetch, act: (port: number) => Promise<void>): Promise<void> {
  const listening = await serve({ fetch }, { port: 0 });
  try {
    await act(listening.port);
  } finally {
    await listening.close();
  }
}
