/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { UserConfig } from "../../../server/config/user_config.ts";
import { counted } from "../../../server/util/time/duration.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { findMetadata, listEndpoints, listProviderApis } from "../../dialect/lab_endpoints.ts";
import { describeFlow, exchangesOfFlow } from "../../flows/describe_flow.ts";
import { nameFlow } from "../../flows/flow_story.ts";
import { type ProviderChoice, providerNameOf } from "../../lab_server/preset_file.ts";
import { showValue } from "../../util/json_values.ts";
import { type LabPageCall, maySeeLab } from "../page/lab_page.ts";
import { CopyText } from "../parts/copy_text.tsx";
import { firstEntries, linkToAll } from "../parts/long_list.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { type Column, Comparison, Facts, Table } from "../parts/tables.tsx";
import { OutcomeTag } from "../parts/tag.tsx";

/** How many flows are listed. */
const maxShown = 5;

/** What the page is for, and what a client needs to know. */
export function homeHead(lab: CoreLab, call: LabPageCall, canStart: boolean): VNode {
  return (
    <PageHead title="Hallpass">
      {invitation(lab, canStart)} <CopyText what="issuer" text={lab.issuer} />
      {call.additions("what clients need")}
    </PageHead>
  );
}

/** Lists the providers that a lab plays: itself, or in its tenants. */
export async function playedProviders(
  lab: CoreLab,
  call: LabPageCall,
): Promise<VNode | undefined> {
  const { provider, providers = [] } = lab.settings.config();
  const open = providers.filter((choice) => lab.tenants.ids().includes(providerNameOf(choice)));
  const pages = await maySeeLab(call) ? `${call.base}/lab/providers` : undefined;
  const played = provider === undefined
    ? open.map((choice) => entryOf(choice, lab.tenants.find(providerNameOf(choice)), true, pages))
    : [entryOf(provider, lab, false, pages)];
  if (played.length === 0) return undefined;
  return (
    <Section title="Providers" id="providers">
      <p class="help">
        This lab plays {played.length === 1 ? "this provider" : "these providers"}{" "}
        for tests. No provider endorses it.
      </p>
      <ul>{await Promise.all(played)}</ul>
    </Section>
  );
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

/** The first users, who can sign in with one click or with their password. */
export function userTable(lab: CoreLab, base: string, maySeeSecrets: boolean): VNode {
  const users = lab.users.list();
  const columns: ReadonlyArray<Column<UserConfig>> = [
    ["User name", ({ name }) => <code>{name}</code>, { class: "first-line" }],
    ["Password", ({ password }) => <code>{maySeeSecrets && password}</code>, { isLabeled: true }],
    ["Name and e-mail", ({ claims }) => (
      <>
        <bdi>{showValue(claims?.name ?? "")}</bdi>{" "}
        <span class="help">{showValue(claims?.email ?? "")}</span>
      </>
    )],
  ];
  return (
    <Section title="Users" id="users" actions={linkToAll(base, "users", users.length)}>
      <Table columns={columns} entries={firstEntries(users)} isCompact />
    </Section>
  );
}

/** The latest flows, the newest first, as they happen. */
export function latestFlows(lab: CoreLab, base: string): VNode {
  const exchanges = lab.exchanges();
  const flows = lab.flows().slice(-maxShown).reverse().map((flow) =>
    describeFlow(flow, exchangesOfFlow(flow, exchanges), lab.issuer)
  );
  return (
    <Section
      title="Latest flows"
      id="latest-flows"
      live
      actions={<a href={`${base}/lab/flows`}>All flows</a>}
    >
      {flows.length === 0 && <p class="help">No flows yet. They appear here as they happen.</p>}
      <ul class="entries">
        {flows.map(({ outcome, ...flow }) => (
          <li>
            <div>
              <a href={`${base}/lab/flows/${flow.id}`}>
                <bdi>{nameFlow(flow)}</bdi>
              </a>
            </div>
            <OutcomeTag outcome={outcome} />
            {outcome.refusal && (
              <div class="help">
                {outcome.refusal.description}
                <Comparison {...outcome.refusal} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </Section>
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

/** Flows of a provider in a tenant start on its own page. `pages` is where those with facts are. */
async function entryOf(
  choice: ProviderChoice,
  { issuer, context }: CoreLab,
  hasPage: boolean,
  pages: string | undefined,
): Promise<VNode> {
  const { requirePreset } = await import("../../providers/presets.ts");
  const { name, title } = await requirePreset(choice);
  const page = `${context.settings.frontChannelUrl}/`;
  return (
    <li>
      {hasPage ? <a href={page}>{title}</a> : title} <code>{issuer}</code>{" "}
      {pages !== undefined && <a href={`${pages}/${name}`}>Facts of {title}</a>}
    </li>
  );
}
