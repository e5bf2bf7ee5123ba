/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/duration.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { findMetadata, listEndpoints, listProviderApis } from "../../dialect/lab_endpoints.ts";
import type { LabPageCall } from "../page/lab_page.ts";
import { CopyText } from "../parts/copy_text.tsx";
import { Facts } from "../parts/facts.tsx";
import { PageHead, Section } from "../parts/section.tsx";

/** What the page is for, and what a client needs to know. */
export function homeHead(lab: CoreLab, call: LabPageCall, canStart: boolean): VNode {
  return (
    <PageHead title="Hallpass">
      {invitation(lab, canStart)} <CopyText what="issuer" text={lab.issuer} />
      {call.additions("what clients need")}
    </PageHead>
  );
}

function invitation(lab: CoreLab, canStart: boolean): string {
  if (!findMetadata(lab)) {
    return "Start a flow as one of the clients below, or point your own client at the endpoints " +
      "below this address:";
  }
  return canStart
    ? "Start a flow as one of the clients below, or point your own client at this issuer:"
    : "Point your own client at this issuer:";
}

/** Where the endpoints are, for clients that read no metadata, and the APIs of a provider. */
export function endpointSection(lab: CoreLab): VNode {
  const endpoints = listEndpoints(lab);
  const apis = listProviderApis(lab);
  return (
    <Section title="Endpoints" id="endpoints">
      <Facts
        facts={endpoints.map(({ name, url }) => [
          <code>{name}</code>,
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
