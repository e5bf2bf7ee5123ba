/** @jsxImportSource preact */
import { issuerUrl } from "../../../server/protocol/issuer_url.ts";
import { loadLabSchemas } from "../../control/lab_schemas.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { OperationDescription } from "../../core/operation.ts";
import { findEndpointUrl } from "../../dialect/lab_endpoints.ts";
import type { OperationGroup } from "../page/feature_interface.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { PageHead, Section } from "../parts/section.tsx";
import type { CommandOptions } from "./operation_examples.ts";
import { type OperationSection, operationSections } from "./operation_groups.ts";
import { operationView } from "./operation_view.tsx";

/** Creates the page that describes the interface over HTTP for people. */
export function createApiPages(
  operations: readonly OperationDescription[],
  groups: readonly OperationGroup[],
): LabPageRoute[] {
  const sections = operationSections(operations, groups);
  return [{ method: "GET", path: "/api", handle: (lab, call) => apiPage(lab, call, sections) }];
}

/** Where no user signs in at the provider, the server of the lab lets them. */
function authorizationUrl(lab: CoreLab): string {
  const { issuer, paths } = lab.context.settings;
  return findEndpointUrl(lab, "authorization_endpoint") ?? issuerUrl(issuer, paths.authorize);
}

async function apiPage(
  lab: CoreLab,
  { base, request, token }: LabPageCall,
  sections: readonly OperationSection[],
): Promise<LabPage> {
  const schemas = await loadLabSchemas();
  const url = `${new URL(request.url).origin}${base}/lab`;
  const options: CommandOptions = {
    url,
    needsToken: token !== undefined,
    authorizationEndpoint: authorizationUrl(lab),
    redirectUri: issuerUrl(lab.context.settings.frontChannelUrl, "/authorized"),
  };
  return {
    title: "HTTP API",
    isLive: true,
    content: (
      <>
        <PageHead title="HTTP API">
          Everything that a test can do here, from any language. For machines:{" "}
          <a href={`${base}/lab/openapi.json`}>OpenAPI</a>.
        </PageHead>
        {options.needsToken && (
          <p class="caution">
            This lab has a token. Put it into the environment variable <code>LAB_TOKEN</code>{" "}
            before you run a command.
          </p>
        )}
        {sections.map(({ name, title, operations }) => (
          <Section title={title} id={`operations-${name}`}>
            {operations.map((operation) =>
              operationView(operation, options, schemas)
            )}
          </Section>
        ))}
      </>
    ),
  };
}
