/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import { type ProviderChoice, providerNameOf } from "../../lab_server/preset_file.ts";
import { Section } from "../parts/section.tsx";

/** Lists the providers that a lab plays: itself, or in its tenants. */
export async function playedProviders(lab: CoreLab): Promise<VNode | undefined> {
  const { provider, providers = [] } = lab.settings.config();
  const open = providers.filter((choice) => lab.tenants.ids().includes(providerNameOf(choice)));
  const played = provider === undefined
    ? open.map((choice) => entryOf(choice, lab.tenants.find(providerNameOf(choice)), true))
    : [entryOf(provider, lab, false)];
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

/** Flows of a provider in a tenant start on its own page. */
async function entryOf(
  choice: ProviderChoice,
  { issuer, context }: CoreLab,
  hasPage: boolean,
): Promise<VNode> {
  const { requirePreset } = await import("../../preset_files/require_preset.ts");
  const { title } = await requirePreset(choice);
  const page = `${context.settings.frontChannelUrl}/`;
  return (
    <li>
      {hasPage ? <a href={page}>{title}</a> : title} <code>{issuer}</code>
    </li>
  );
}
