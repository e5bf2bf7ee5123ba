/** @jsxImportSource preact */
import { home, plainHomeProps } from "../../../server/endpoints/home.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import { SignedIn } from "../../../server/pages/home.tsx";
import { ourPages } from "../../../server/pages/pages.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { type LabPage, type LabPageCall, type LabPageRoute, maySeeLab } from "../page/lab_page.ts";
import { RequestCodes } from "../parts/copy_text.tsx";
import { Section } from "../parts/section.tsx";
import { clientList } from "./client_list.tsx";
import { flowBuilder } from "./flow_builder.tsx";
import { findRememberedChoice, readFlowDraft } from "./flow_draft.ts";
import {
  endpointSection,
  homeHead,
  latestFlows,
  playedProviders,
  userTable,
} from "./home_sections.tsx";
import { requestPreview } from "./request_preview.tsx";

/** The home page of a lab, in place of that of its server. */
export const homePages: readonly LabPageRoute[] = [{
  method: "GET",
  path: "/",
  handle: showHome,
}];

/** Without the lab's token, the page starts flows but shows no secret and no password. */
async function showHome(lab: CoreLab, call: LabPageCall): Promise<LabPage | ResponseData> {
  if (lab.context.settings.pages.home !== ourPages.home) return await home(call.ctx);
  const { base, query } = call;
  const remembered = query.size === 0 ? findRememberedChoice(call.ctx) : undefined;
  const draft = await readFlowDraft(lab, remembered ?? query);
  const { user, ...plain } = await plainHomeProps(call.ctx);
  const maySeeSecrets = await call.mayEnter();
  return {
    title: "Home",
    area: "home",
    isLive: true,
    style: "front.css",
    script: "front.js",
    content: (
      <div class="home">
        {homeHead(lab, call, draft !== undefined)}
        {await playedProviders(lab, call)}
        {await call.homeSections(maySeeSecrets)}
        {user && (
          <section class="panel">
            <SignedIn {...plain} user={user} />
          </section>
        )}
        <div class="home-columns">
          <div>
            {draft && flowBuilder(lab, base, draft, remembered !== undefined)}
            {maySeeSecrets && call.additions("an application to connect")}
            {endpointSection(lab)}
            {userTable(lab, base, maySeeSecrets)}
          </div>
          <div>
            {await maySeeLab(call) && latestFlows(lab, base)}
            {draft && requestPreview(draft)}
            {draft && (
              <Section title="The token request" id="token-request" live>
                <p class="help">
                  It follows the authorization response. The page at the end of the flow has the
                  real one.
                </p>
                <RequestCodes what="token request" id="token-code" codes={draft.codes} />
              </Section>
            )}
            {await clientList(lab, call, maySeeSecrets)}
          </div>
        </div>
      </div>
    ),
  };
}
