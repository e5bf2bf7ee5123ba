/** @jsxImportSource preact */
import { home, signedInProps } from "../../../server/endpoints/home.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import { SignedIn } from "../../../server/pages/home.tsx";
import { ourPages } from "../../../server/pages/pages.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { findMetadata } from "../../dialect/lab_endpoints.ts";
import { type LabPage, type LabPageCall, type LabPageRoute, maySeeLab } from "../page/lab_page.ts";
import { pageAt } from "../page/page_routes.ts";
import { CopyText } from "../parts/copy_text.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { flowBuilder } from "./flow_builder.tsx";
import { findRememberedChoice, readFlowDraft, rememberChoice } from "./flow_draft.ts";
import { listener } from "./listener.tsx";

/** The home page of a lab, in place of that of its server. */
export const homePages: readonly LabPageRoute[] = [pageAt("/", showHome)];

/** Without the lab's token, the page starts flows but shows no secret and no request. */
async function showHome(lab: CoreLab, call: LabPageCall): Promise<LabPage | ResponseData> {
  if (lab.context.settings.pages.home !== ourPages.home) return await home(call.ctx);
  const remembered = call.query.size === 0 ? findRememberedChoice(call.ctx) : undefined;
  const query = remembered ?? call.query;
  const draft = await readFlowDraft(lab, query);
  const signedIn = await signedInProps(call.ctx);
  const maySeeSecrets = await call.mayEnter();
  const hasMetadata = findMetadata(lab) !== undefined;
  const showsFlows = await maySeeLab(call);
  return {
    title: "Home",
    area: "home",
    isLive: true,
    style: "front.css",
    script: "front.js",
    headers: rememberChoice(call.ctx, call.query),
    content: (
      <div class="home">
        <PageHead title="Hallpass">
          Your application signs its users in here, and this page shows what it does.
        </PageHead>
        {showsFlows && listener(lab, call)}
        <div class="split">
          <Section title="Connect your application" id="connect">
            <p>
              {hasMetadata ? "Issuer: " : "Address: "}
              <CopyText what="issuer" text={lab.issuer} />
              {call.additions("what clients need")}
            </p>
            {!hasMetadata && (
              <p class="help">
                This provider has no metadata: an application needs the{" "}
                <a href={`${call.base}/lab/setup#endpoints`}>endpoints</a>.
              </p>
            )}
            {maySeeSecrets &&
              call.additions("an application to connect", query.get("library") ?? "")}
          </Section>
          {draft && flowBuilder(lab, call, draft, {
            isRemembered: remembered !== undefined,
            isPrimary: !showsFlows || lab.flows().length === 0,
          })}
        </div>
        {await call.homeSections()}
        {signedIn && (
          <section class="panel">
            <SignedIn {...signedIn} />
          </section>
        )}
      </div>
    ),
  };
}
