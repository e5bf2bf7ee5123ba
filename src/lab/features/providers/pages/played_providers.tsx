/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../../core/core_lab.ts";
import { type LabPageCall, maySeeLab } from "../../../pages/page/lab_page.ts";
import { Section } from "../../../pages/parts/section.tsx";
import {
  type ProviderChoice,
  providerNameOf,
  type ProviderSetting,
  type ProvidersSetting,
} from "../config.ts";

/** Lists the providers that a lab plays: itself, or in its tenants. */
export async function playedProviders(
  lab: CoreLab,
  call: LabPageCall,
): Promise<VNode | undefined> {
  const { provider, providers = [] } = lab.settings.config<ProviderSetting & ProvidersSetting>();
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

/** Flows of a provider in a tenant start on its own page. `pages` is where those with facts are. */
async function entryOf(
  choice: ProviderChoice,
  { issuer, context }: CoreLab,
  hasPage: boolean,
  pages: string | undefined,
): Promise<VNode> {
  const { requirePreset } = await import("../presets.ts");
  const { name, title } = await requirePreset(choice);
  const page = `${context.settings.frontChannelUrl}/`;
  return (
    <li>
      {hasPage ? <a href={page}>{title}</a> : title} <code>{issuer}</code>{" "}
      {pages !== undefined && <a href={`${pages}/${name}`}>Facts of {title}</a>}
    </li>
  );
}
