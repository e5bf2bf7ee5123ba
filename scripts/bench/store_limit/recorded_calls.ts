import { setTimeout } from "node:timers/promises";
import { memoryStore } from "../../../src/server/store/memory.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { openKit, refresh } from "../../../tests/support/kit.ts";
import { present } from "../../../tests/support/present.ts";

/** A method that takes a kind and an id. */
export type CallMethod = "get" | "put" | "add" | "consume" | "delete" | "list";

/** A call of a store, as it was made. */
export interface StoreCall {
  method: CallMethod;
  args: [kind: string, ...rest: unknown[]];
}

/** Calls that wait for the network at the same time. The next group starts after them. */
export type CallGroup = StoreCall[];

/** The calls of an operation. */
export interface RecordedCalls {
  flow: CallGroup[];
  refresh: CallGroup[];
}

/** Runs a flow and a refresh on a slow store, and returns which calls they make, in which order. */
export async function recordCalls(): Promise<RecordedCalls> {
  const { store, take } = recordingStore();
  const kit = openKit({ store });
  const browser = kit.browser();
  const scope = "openid offline_access";
  const url = (prompt?: string) => kit.authorizationUrl({ scope, ...prompt && { prompt } });
  const codeIn = (location: string) => present(new URL(location).searchParams.get("code"));
  // Signs in, allows, and makes the keys.
  const { body } = await kit.redeem(codeIn(await browser.authorize(url("consent"))));
  const calls = async (act: () => Promise<unknown>): Promise<CallGroup[]> => {
    await kit.server.context.background.idle();
    take();
    await act();
    return take();
  };
  return {
    flow: await calls(async () => {
      const { headers } = await browser.request(kit.authorizationUrl({ scope: "openid" }));
      await kit.redeem(codeIn(present(headers.get("Location"))));
    }),
    refresh: await calls(() => refresh(kit, body.refresh_token)),
  };
}

/** A store in memory that responds late, so that calls meet that wait for nothing else. */
function recordingStore(): { store: Store; take(): CallGroup[] } {
  let groups: CallGroup[] = [];
  let group: CallGroup = [];
  const endGroup = () => {
    if (group.length > 0) groups.push(group);
    group = [];
  };
  const memory = memoryStore();
  const recorded = Object.entries(memory).map(([method, call]) => [
    method,
    async (...args: StoreCall["args"]) => {
      if (isCallMethod(method)) group.push({ method, args });
      await setTimeout(10);
      endGroup();
      return await (call as (...args: unknown[]) => unknown)(...args);
    },
  ]);
  const take = () => {
    const taken = groups;
    groups = [];
    return taken;
  };
  return { store: Object.fromEntries(recorded), take };
}

function isCallMethod(name: string): name is CallMethod {
  return ["get", "put", "add", "consume", "delete", "list"].includes(name);
}
