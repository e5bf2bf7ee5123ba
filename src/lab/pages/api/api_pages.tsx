/** @jsxImportSource preact */
import { issuerUrl } from "../../../server/protocol/issuer_url.ts";
import type { Lab } from "../../control/lab.ts";
import { loadLabSchemas } from "../../control/lab_schemas.ts";
import { findEndpointUrl } from "../../dialect/lab_endpoints.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { PageHead, Section } from "../parts/section.tsx";
import type { CommandOptions } from "./operation_examples.ts";
import { operationGroups } from "./operation_groups.ts";
import { OperationView } from "./operation_view.tsx";

/** The interface over HTTP, described for people. */
export const apiPages: readonly LabPageRoute[] = [
  { method: "GET", path: "/api", handle: (lab, call) => apiPage(lab, call) },
];

/** Where no user signs in at the provider, the server of the lab lets them. */
function authorizationUrl(lab: Lab): string {
  const { issuer, paths } = lab.context.settings;
  return findEndpointUrl(lab, "authorization_endpoint") ?? issuerUrl(issuer, paths.authorize);
}

async function apiPage(
  lab: Lab,
  { base, request, token }: LabPageCall,
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
        {operationGroups().map(({ name, title, operations }) => (
          <Section title={title} id={`operations-${name}`}>
            {operations.map((operation) => (
              <OperationView
                operation={operation}
                options={options}
                schemas={schemas}
              />
            ))}
          </Section>
        ))}
      </>
    ),
  };
}
