import type { VNode } from "preact";
import { home, plainHomeProps } from "../../../server/endpoints/home.ts";
import type { ClientConfig } from "../../../server/features.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import { ourPages } from "../../../server/pages/pages.ts";
import { startableClients } from "../../client_role/start_flow.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { enterpriseSection } from "../../features/enterprise/pages/enterprise_section.tsx";
import type { LabMcpInternals } from "../../mcp/lab_mcp_tools.ts";
import { type LabPage, type LabPageCall, type LabPageRoute, maySeeLab } from "../page/lab_page.ts";
import { commandsOf } from "./client_commands.ts";
import { readFlowDraft } from "./flow_draft.ts";
import { LabHome, type LabHomeProps } from "./home_page.tsx";
import { latestFlows } from "./latest_flows.tsx";
import { listed } from "./link_to_all.tsx";
import { playedProviders } from "./played_providers.tsx";
import { findRememberedChoice } from "./remembered_choice.ts";
import { shownPlaces } from "./shown_places.ts";

/** What features show of a whole lab, to visitors who may see secrets or not. */
const featureSections: ReadonlyArray<
  (lab: CoreLab, maySeeSecrets: boolean) => Promise<VNode | undefined>
> = [
  enterpriseSection,
];

/** The home page of a lab, in place of that of its server. */
export const homePages: ReadonlyArray<LabPageRoute<LabMcpInternals>> = [{
  method: "GET",
  path: "/",
  handle: showHome,
}];

async function showHome(
  lab: CoreLab & LabMcpInternals,
  call: LabPageCall,
): Promise<LabPage | ResponseData> {
  const { context: ctx } = lab;
  const remembered = call.query.size === 0 ? findRememberedChoice(call.ctx) : undefined;
  if (ctx.settings.pages.home !== ourPages.home) return await home(call.ctx);
  return {
    title: "Home",
    area: "home",
    isLive: true,
    style: "front.css",
    script: "front.js",
    content: LabHome({
      base: call.base,
      draft: await readFlowDraft(lab, remembered ?? call.query),
      isRemembered: remembered !== undefined,
      providers: await playedProviders(lab),
      sections: await sectionsFor(lab, await call.mayEnter()),
      flows: await maySeeLab(call) ? latestFlows(lab) : undefined,
      ...await directoryFor(lab, await call.mayEnter()),
      places: shownPlaces(lab),
      plain: await plainHomeProps(call.ctx),
    }),
  };
}

async function sectionsFor(lab: CoreLab, maySeeSecrets: boolean) {
  return await Promise.all(featureSections.map((sectionOf) => sectionOf(lab, maySeeSecrets)));
}

/** Without the lab's token, the page starts flows but shows no secret and no password. */
async function directoryFor(
  lab: CoreLab,
  maySeeSecrets: boolean,
): Promise<Pick<LabHomeProps, "clients" | "clientCount" | "users">> {
  const startable = startableClients(lab);
  const all = lab.clients.list();
  const clients = await Promise.all(
    listed(all).map(async (client) => ({
      client: maySeeSecrets ? client : withoutSecret(client),
      isStartable: startable.includes(client),
      commands: maySeeSecrets ? await commandsOf(lab, client) : [],
    })),
  );
  const users = lab.users.list();
  return {
    clients,
    clientCount: all.length,
    users: maySeeSecrets ? users : users.map(({ password: _, ...user }) => user),
  };
}

function withoutSecret({ secret: _, ...client }: ClientConfig): ClientConfig {
  return client;
}
