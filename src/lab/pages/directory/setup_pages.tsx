/** @jsxImportSource preact */
import type { VNode } from "preact";
import { textDownload } from "../../../server/http/response.ts";
import { pagePath } from "../../../server/issuer/active_features.ts";
import { withLineBreaks } from "../../../server/pages/access_detail.tsx";
import { counted } from "../../../server/util/time/duration.ts";
import { savedConfiguration } from "../../control/settings_operations.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { Operation } from "../../core/operation.ts";
import { findMetadata, listEndpoints, listProviderApis } from "../../dialect/lab_endpoints.ts";
import { listSection } from "../operations/operation_lists.tsx";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { pageAt } from "../page/page_routes.ts";
import { CopyText } from "../parts/copy_text.tsx";
import { ActionForm } from "../parts/form.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { Facts } from "../parts/tables.tsx";

const fileName = "hallpass.json";

/**
 * Creates the page of what a lab is made of, and the download of its configuration.
 */
export function createSetupPages<L extends CoreLab>(
  operations: ReadonlyArray<Operation<L>>,
): LabPageRoute<L>[] {
  return [
    pageAt("/setup", async (lab, call): Promise<LabPage> => {
      const accountPath = pagePath(call.ctx, "/account");
      const sections = operations
        .filter(({ name }) => name === "list-users" || name === "list-clients")
        .map((each) => listSection({ call, operations }, lab, each));
      return {
        title: "Setup",
        area: "setup",
        isLive: true,
        content: (
          <>
            <PageHead title="Setup" actions={call.additions("actions on setup")}>
              The users, clients and endpoints of this lab. Each change applies at once.{" "}
              {accountPath && (
                <>
                  <a href={accountPath}>Their own account</a>{" "}
                  is what your users see of the server: password, sessions and allowed applications.
                </>
              )}
            </PageHead>
            {await Promise.all(sections)}
            {endpointSection(lab)}
            {labState(call)}
          </>
        ),
      };
    }),
    pageAt(
      "/state/configuration",
      (lab) => textDownload(savedConfiguration(lab), { contentType: "application/json", fileName }),
    ),
  ];
}

/** Where the endpoints are, for clients that read no metadata, and the APIs of a provider. */
function endpointSection(lab: CoreLab): VNode {
  const endpoints = listEndpoints(lab);
  const apis = listProviderApis(lab);
  return (
    <Section title="Endpoints" id="endpoints">
      <Facts
        facts={endpoints.map(({ name, url }) => [
          <code>{withLineBreaks(name)}</code>,
          <CopyText what={name} text={url} />,
        ])}
      />
      {apis.length > 0 && (
        <details id="all-apis" open={!findMetadata(lab)}>
          <summary>{counted(apis.length, "API")}</summary>
          <Facts
            facts={apis.map(({ url }) => [
              <code>GET</code>,
              <CopyText what="URL of the API" text={url} />,
            ])}
          />
        </details>
      )}
    </Section>
  );
}

/** What can be done with all users, clients and settings of a lab at once. */
function labState(call: LabPageCall): VNode {
  return (
    <Section title="Save and reset" id="lab-state">
      <p class="help">
        A file with the settings, users and clients of this lab, passwords and secrets included, for
        {" "}
        <code>hallpass lab --config {fileName}</code>.
      </p>
      <p>
        <a
          class="button secondary"
          id="save-configuration"
          href={`${call.base}/lab/state/configuration`}
          download={fileName}
        >
          Save as configuration
        </a>
      </p>
      <p class="help">A reset restores the initial state, except for the signing keys.</p>
      <ActionForm page={call} action="/call/reset" back={call.here} id="reset-lab" look="danger">
        Reset the lab
      </ActionForm>
    </Section>
  );
}
