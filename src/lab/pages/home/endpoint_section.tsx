/** @jsxImportSource preact */
import type { VNode } from "preact";
import { CopyText } from "../parts/copy_text.tsx";
import { Facts } from "../parts/facts.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import type { ShownPlaces } from "./shown_places.ts";

interface HomeHeadProps {
  places: ShownPlaces;
  /** Whether a flow can be started on the page. */
  canStart: boolean;
}

/** What the page is for, and what a client needs to know. */
export function HomeHead({ places, canStart }: HomeHeadProps): VNode {
  const { issuer, mcp } = places;
  return (
    <PageHead title="Hallpass">
      {invitation(places, canStart)} <CopyText what="issuer" text={issuer} />
      {mcp !== undefined && (
        <>
          <br />An MCP client needs only: <CopyText what="MCP server" text={mcp} />
        </>
      )}
    </PageHead>
  );
}

function invitation({ hasMetadata }: ShownPlaces, canStart: boolean): string {
  if (!hasMetadata) {
    return "Start a flow as one of the clients below, or point your own client at the endpoints " +
      "below this address:";
  }
  return canStart
    ? "Start a flow as one of the clients below, or point your own client at this issuer:"
    : "Point your own client at this issuer:";
}

/** Where the endpoints are, and the APIs of a provider. Without metadata, clients learn it here. */
export function EndpointSection({ places }: { places: ShownPlaces }): VNode {
  const { endpoints, apis, hasMetadata } = places;
  return (
    <Section title="Endpoints" id="endpoints">
      <details id="all-endpoints" open={!hasMetadata}>
        <summary>{endpoints.length === 1 ? "1 endpoint" : `${endpoints.length} endpoints`}</summary>
        <Facts
          facts={endpoints.map(({ name, url }) => [
            <code>{name}</code>,
            <CopyText what={name} text={url} />,
          ])}
        />
      </details>
      {apis.length > 0 && (
        <details id="all-apis" open={!hasMetadata}>
          <summary>{apis.length === 1 ? "1 API" : `${apis.length} APIs`}</summary>
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
