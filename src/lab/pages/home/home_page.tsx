/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { UserConfig } from "../../../server/config/user_config.ts";
import { type HomeProps, SignedIn } from "../../../server/pages/home.tsx";
import type { FlowStory } from "../../flows/flow_story.ts";
import { RequestCodes } from "../parts/request_code.tsx";
import { Section } from "../parts/section.tsx";
import { ClientTable, type ListedClient } from "./client_table.tsx";
import { EndpointSection, HomeHead } from "./endpoint_section.tsx";
import { FlowBuilder } from "./flow_builder.tsx";
import type { FlowDraft } from "./flow_draft.ts";
import { LatestFlows } from "./latest_flows.tsx";
import { type PlayedProvider, PlayedProviders } from "./played_providers.tsx";
import { RequestPreview } from "./request_preview.tsx";
import type { ShownPlaces } from "./shown_places.ts";
import { UserTable } from "./user_table.tsx";

/** What the home page of a lab shows. */
export interface LabHomeProps {
  base: string;
  /** The flow that can be started; none if no client has a redirect URI of the lab. */
  draft: FlowDraft | undefined;
  /** Whether the draft is what the browser started last. */
  isRemembered: boolean;
  /** The providers that the lab plays. */
  providers: readonly PlayedProvider[];
  /** What features show of the whole lab. */
  sections: ReadonlyArray<VNode | undefined>;
  /** The latest flows, for visitors who may see them. */
  flows: readonly FlowStory[] | undefined;
  /** The first clients. */
  clients: readonly ListedClient[];
  /** How many clients the lab has. */
  clientCount: number;
  users: readonly UserConfig[];
  /** Where everything is. */
  places: ShownPlaces;
  /** What the home page of the server shows. */
  plain: HomeProps;
}

/** The home page of a lab: a flow to start, who takes part in it, and where everything is. */
export function LabHome(props: LabHomeProps): VNode {
  const {
    base,
    draft,
    isRemembered,
    flows,
    providers,
    sections,
    clients,
    clientCount,
    users,
    places,
    plain,
  } = props;
  const { user } = plain;
  return (
    <div class="home">
      <HomeHead places={places} canStart={draft !== undefined} />
      {providers.length > 0 && <PlayedProviders providers={providers} />}
      {sections}
      {user && (
        <section class="panel">
          <SignedIn {...plain} user={user} />
        </section>
      )}
      <div class="home-columns">
        <div>
          {draft && (
            <FlowBuilder
              base={base}
              users={users}
              isRemembered={isRemembered}
              {...draft}
            />
          )}
          {flows && <LatestFlows base={base} flows={flows} />}
          <ClientTable
            base={base}
            clients={clients}
            count={clientCount}
          />
        </div>
        <div>
          {draft && <RequestPreview messages={draft.messages} mistakes={draft.options.mistakes} />}
          {draft && <TokenRequest codes={draft.codes} />}
          <UserTable base={base} users={users} />
          <EndpointSection places={places} />
        </div>
      </div>
    </div>
  );
}

function TokenRequest({ codes }: Pick<FlowDraft, "codes">): VNode {
  return (
    <Section title="The token request" id="token-request" live>
      <p class="help">
        It follows the authorization response. The page at the end of the flow has the real one.
      </p>
      <RequestCodes what="token request" id="token-code" codes={codes} />
    </Section>
  );
}
