import { assertEquals } from "@std/assert";
import { add as addUser } from "../../src/administration/users.ts";
import type { Config } from "../../src/server/features.ts";
import type { Store } from "../../src/server/store/store.ts";
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
  assertEquals(await changePassword(kit), 200, "a new password");
}

/** Returns the status of the last page for a user of the store, who chooses a new password. */
async function changePassword(kit: Kit): Promise<number> {
  await addUser(kit.server.context, { name: "dora", password: "the first password" });
  const browser = kit.browser();
  const account = `${kit.issuer}/account`;
  const fields = { username: "dora", password: "the first password" };
  await browser.submit(await browser.open(account), "sign-in", fields);
  const changed = await browser.submit(
    await browser.open(`${account}/password`),
    "change-password",
    {
      current_password: "the first password",
      new_password: "another password",
      repeated_password: "another password",
    },
  );
  return (await browser.open(new URL(changed.url, kit.issuer).href)).status;
}
