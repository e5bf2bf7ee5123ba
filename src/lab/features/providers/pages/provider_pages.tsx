/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../../core/core_lab.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../../../pages/page/lab_page.ts";
import { pageAt } from "../../../pages/page/page_routes.ts";
import { PageHead, Section } from "../../../pages/parts/section.tsx";
import { Facts, Table } from "../../../pages/parts/tables.tsx";
import { Tag } from "../../../pages/parts/tag.tsx";
import { providerNameOf, type ProviderSetting, type ProvidersSetting } from "../config.ts";
import type { PresetFact, PresetSource, ProviderPreset } from "../presets/preset.ts";

/** The page of each provider that a lab can play: the facts of its preset, with their sources. */
export const providerPages: readonly LabPageRoute[] = [pageAt("/providers/:name", providerPage)];

async function providerPage(lab: CoreLab, { segment }: LabPageCall): Promise<LabPage> {
  const { title, facts, sources, stricter, missing, name } = await presetOf(lab, segment);
  return {
    title,
    content: (
      <>
        <PageHead title={title}>
          What a lab plays with{" "}
          <code>--provider {name}</code>, and where each fact comes from. No provider endorses it.
        </PageHead>
        <Section title="Facts" id="facts">{factTable(name, facts)}</Section>
        {listSection("Stricter than the provider", stricter)}
        {listSection("Not played", missing)}
        <Section title="Sources" id="sources">
          <Facts facts={Object.entries(sources).map(([id, source]) => [id, sourceLink(source)])} />
        </Section>
      </>
    ),
  };
}

/** Returns the preset with a name, from a file that the lab plays or from our own. */
async function presetOf(lab: CoreLab, name: string): Promise<ProviderPreset<string>> {
  const { provider, providers = [] } = lab.settings.config<ProviderSetting & ProvidersSetting>();
  const played = [provider ?? [], ...providers].flat()
    .find((choice) => providerNameOf(choice) === name);
  const { loadPreset, requirePreset } = await import("../presets.ts");
  return await (played === undefined ? loadPreset(name) : requirePreset(played));
}

function factTable(name: string, facts: ProviderPreset<string>["facts"]): VNode {
  return (
    <Table<[string, PresetFact]>
      entries={Object.entries(facts)}
      columns={[
        ["Fact", ([, { says, isUncertain, isAdjustable }]) => (
          <>
            {says} {isUncertain && <Tag tone="warn">in doubt</Tag>}{" "}
            {isAdjustable && <Tag>your choice</Tag>}
          </>
        )],
        ["Id", ([id]) => <code>{`${name}.${id}`}</code>],
        ["Sources", ([, { from }]) => from.join(", ")],
      ]}
    />
  );
}

function listSection(title: string, sentences: readonly string[]): VNode | undefined {
  if (sentences.length === 0) return undefined;
  return (
    <Section title={title}>
      <ul>{sentences.map((sentence) => <li>{sentence}</li>)}</ul>
    </Section>
  );
}

/** Anyone may have written the file of a preset: only addresses of the web become links. */
function sourceLink([url, text]: PresetSource): VNode {
  const isOfWeb = /^https?:\/\//.test(url);
  return <>{isOfWeb ? <a href={url} rel="noreferrer">{url}</a> : url} ({text})</>;
}
