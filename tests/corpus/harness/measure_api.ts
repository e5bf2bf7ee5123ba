import { requiredScope } from "../broken/api.ts";
import { type ApiPlan, apiUrl, openApi } from "../broken/open_api.ts";
import type { ApiEntry } from "../entry.ts";
import { call, drill, type Drilled } from "./measured_lab.ts";
import { openProgramLab } from "./program_lab.ts";
import { startEntry } from "./start_entry.ts";

/** Drills the API by hand. */
export async function drillApi(plan: ApiPlan = {}): Promise<Drilled> {
  await using lab = await openApi(plan);
  const scope = requiredScope.join(" ");
  return await drill(lab, {
    api: { request: apiUrl, scope, user: "alice", otherUser: "bob", keyWait: "1s", ...plan.drill },
  });
}

const audience = "https://api.example";

/** Drills an API of a library. */
export async function measureApi(entry: ApiEntry): Promise<Drilled> {
  await using lab = await openProgramLab();
  const { accessTokenType } = entry;
  if (accessTokenType) {
    await call(lab, "POST /settings", { resources: [{ uri: audience, accessTokenType }] });
  }
  const { base, started } = await startEntry(entry, lab, { AUDIENCE: audience });
  await using _ = started;
  return await drill(lab, { api: { request: base + entry.path, audience, scope: "read" } });
}
