import { home, listEndpoints } from "../../../server/endpoints/home.ts";
import { describeUser } from "../../../server/endpoints/responses/describe_user.ts";
import { framePropsIn } from "../../../server/endpoints/responses/page_response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import {
  findBrowser,
  formToken,
  signOutPurpose,
} from "../../../server/issuer/sessions/browsers.ts";
import { findSession } from "../../../server/issuer/sessions/sessions.ts";
import { loadLanguage } from "../../../server/pages/languages/languages.ts";
import { ourPages } from "../../../server/pages/pages.ts";
import { startableClients } from "../../client_role/start_flow.ts";
import type { Lab } from "../../control/lab.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { commandsOf } from "./client_commands.ts";
import type { ListedClient } from "./client_table.tsx";
import { readFlowDraft } from "./flow_draft.ts";
import { LabHome, type LabHomeProps } from "./home_page.tsx";

/** The home page of a lab, in place of that of its server. */
export const homePages: readonly LabPageRoute[] = [{ method: "GET", path: "/", handle: showHome }];

async function showHome(lab: Lab, call: LabPageCall): Promise<LabPage | ResponseData> {
  const { context: ctx } = lab;
  if (ctx.settings.pages.home !== ourPages.home) return await home(call.ctx);
  return {
    title: "Home",
    area: "home",
    isLive: true,
    style: "front.css",
    script: "front.js",
    content: LabHome({
      base: call.base,
      issuer: lab.issuer,
      devicePath: ctx.settings.paths.device,
      draft: await readFlowDraft(lab, call.query),
      clients: await listedClients(lab),
      users: lab.users.list(),
      endpoints: listEndpoints(ctx),
      signedIn: await signedInProps(lab, call),
    }),
  };
}

async function listedClients(lab: Lab): Promise<ListedClient[]> {
  const startable = startableClients(lab);
  return await Promise.all(
    lab.clients.list().map(async (client) => ({
      client,
      isStartable: startable.includes(client),
      commands: await commandsOf(lab.context, client),
    })),
  );
}

async function signedInProps(
  { issuer }: Lab,
  { ctx }: LabPageCall,
): Promise<LabHomeProps["signedIn"]> {
  const session = await findSession(ctx);
  const browser = await findBrowser(ctx);
  if (!session || !browser) return undefined;
  return {
    ...await framePropsIn(await loadLanguage("en"), ctx.settings),
    issuer,
    endpoints: [],
    user: describeUser(session.user),
    formToken: await formToken(browser, signOutPurpose),
  };
}
