/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import { type ProviderChoice, providerNameOf } from "../../lab_server/preset_file.ts";
import { Section } from "../parts/section.tsx";

/** A provider that a lab plays. */
export interface PlayedProvider {
  title: string;
  issuer: string;
  /** The page where flows start; none for the lab itself. */
  page: string | undefined;
}

/** Returns the providers that a lab plays: itself, or in its tenants. */
export async function playedProviders(lab: CoreLab): Promise<PlayedProvider[]> {
  const { provider, providers = [] } = lab.settings.config();
  if (provider === undefined && providers.length === 0) return [];
  const { requirePreset } = await import("../../preset_files/require_preset.ts");
  const played = async (
    choice: ProviderChoice,
    { issuer, context }: CoreLab,
    hasPage: boolean,
  ) => ({
    title: (await requirePreset(choice)).title,
    issuer,
    page: hasPage ? `${context.settings.frontChannelUrl}/` : undefined,
  });
  if (provider !== undefined) return [await played(provider, lab, false)];
  const open = providers.filter((choice) => lab.tenants.ids().includes(providerNameOf(choice)));
  return await Promise.all(
    open.map((choice) => played(choice, lab.tenants.find(providerNameOf(choice)), true)),
  );
}

/** Lists the providers that a lab plays. */
export function PlayedProviders({ providers }: { providers: readonly PlayedProvider[] }): VNode {
  return (
    <Section title="Providers" id="providers">
      <p class="help">
        This lab plays {providers.length === 1 ? "this provider" : "these providers"}{" "}
        for tests. No provider endorses it.
      </p>
      <ul>
        {providers.map(({ title, issuer, page }) => (
          <li>
            {page === undefined ? title : <a href={page}>{title}</a>} <code>{issuer}</code>
          </li>
        ))}
      </ul>
    </Section>
  );
}
