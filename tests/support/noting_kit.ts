import { assertEquals } from "@std/assert";
import type { Config } from "../../src/server/features.ts";
import type { Store } from "../../src/server/store/store.ts";
import { fixturesOf } from "../features.ts";
import { type CredentialLog, noteCredentials } from "./credentials.ts";
import { everyFlow, everyFlowConfig } from "./every_flow.ts";
import { type Kit, openStrictKit } from "./kit.ts";

/** A server that offers every flow, with what it has sent and received. */
export interface NotingKit {
  kit: Kit;
  credentials: CredentialLog;
  pages: string[];
}

/** Opens a server that notes what it sends and receives. */
export function openNotingKit(store: Store, config: Partial<Config> = {}): NotingKit {
  const kit = openStrictKit({ ...everyFlowConfig, store, ...config });
  const credentials: CredentialLog = new Map();
  const pages: string[] = [];
  const noting = noteCredentials(kit.server.fetch, credentials);
  const fetch = async (request: Request) => {
    const response = await noting(request);
    const text = await response.clone().text();
    if (text.startsWith("<")) pages.push(text);
    return response;
  };
  Object.assign(kit.server, { fetch });
  return { kit, credentials, pages };
}

/** Runs each flow to its end. */
export async function runEveryFlow(kit: Kit): Promise<void> {
  for (const [name, run] of Object.entries(everyFlow)) assertEquals(await run(kit), 200, name);
  for (const [name, run] of Object.entries(fixturesOf("storedUserFlows"))) {
    assertEquals(await run(kit), 200, name);
  }
}
