/** Writes the document about the providers that a lab plays, from their presets. */
import { features } from "../../src/lab/features.ts";
import { leniencyNames } from "../../src/lab/leniencies/leniencies.ts";
import { applyPreset } from "../../src/lab/providers/apply_preset.ts";
import type { PresetFact, PresetSettings, ProviderPreset } from "../../src/lab/providers/preset.ts";

const introduction = `# Providers that a lab plays

\`hallpass({ provider: "github" })\` and \`hallpass lab --provider github\` open a lab with the paths,
names, types and errors of a provider. The lab signs, checks and records as ever; faults, the clock and
the report work on it. \`providers: ["google", "entra"]\` plays several, each in a tenant:
\`/t/google\`. In a test, \`lab.provider("google")\` returns one; \`accounts: { alice: ["google"] }\`
says who has an account where.

To point a client at it, use the issuer that \`hallpass lab\` prints, with the demo clients and users of the
lab; \`--redirect-uri\` adds your own address. Take the endpoints from the metadata, or, where the provider has
none, as GitHub, from the home page of its issuer: \`http://localhost:9000/t/github/login/oauth/authorize\`.
APIs are below the same address, in place of their host: \`http://localhost:9000/t/github/user\`. A lab that
plays one provider has it without \`/t/github\`.

Nothing here is made or endorsed by a provider: their names are facts. Each fact names the text that it
was taken from; all were read on READ_ON. What a source leaves in doubt is marked with **?**. Each fact
has a test whose title begins with its id, in [tests/lab/providers](../tests/lab/providers). Where the
table says *stored metadata*, a test also compares what the lab publishes with a stored copy of the
provider's own metadata, member by member. Where it says *documented facts*, no such comparison exists.
\`hallpass clone\` makes a preset for a provider that is not listed here.

A setting that contradicts a fact is refused, except where customers of the provider choose themselves
(**⚙**). What is laxer than our defaults is a leniency: the report names it, and \`hallpass serve\`,
\`hallpass check\` and \`createServer\` refuse it.

This document is made from the presets by \`deno task generate\`.
`;

/** Whether the tests of a preset compare its metadata with a stored copy of the provider's. */
export type HasMetadataTest = (preset: ProviderPreset) => boolean;

/** Returns the document about all providers. */
export function providerReference(
  presets: readonly ProviderPreset[],
  readOn: string,
  hasMetadataTest: HasMetadataTest,
): string {
  return [
    introduction.replace("READ_ON", readOn),
    `${presets.map(({ title }) => `- [${title}](#${anchorOf(title)})`).join("\n")}\n`,
    overview(presets, hasMetadataTest),
    ...presets.map(describePreset),
  ].join("\n");
}

function overview(presets: readonly ProviderPreset[], hasMetadataTest: HasMetadataTest): string {
  const rows = presets.map((preset) => {
    const { name, title, facts, missing, sources } = preset;
    const doubts = Object.values(facts).filter(({ isUncertain }) => isUncertain).length;
    const count = `${Object.keys(facts).length} facts, ${doubts} of them in doubt`;
    const texts = [...new Set(Object.values(sources).map(([, text]) => text))].join("; ");
    const proof = hasMetadataTest(preset) ? "stored metadata" : "documented facts";
    const link = `[\`${name}\`](#${anchorOf(title)})`;
    return `| ${link} | ${count} | ${missing.length} notes | ${proof} | ${texts} |`;
  });
  const head = [
    "| provider | played | not played | compared with | texts |",
    "| --- | --- | --- | --- | --- |",
  ];
  return `${[...head, ...rows].join("\n")}\n`;
}

function describePreset(preset: ProviderPreset): string {
  const { name, title, facts, sources, stricter, missing } = preset;
  const settings = applyPreset<PresetSettings>(preset, {});
  return [
    `## ${title}\n`,
    "| fact | id | source |",
    "| --- | --- | --- |",
    ...Object.entries(facts).map(([id, fact]) => factRow(`${name}.${id}`, fact)),
    "",
    `**Leniencies**: ${
      leniencyNames(settings as never, features).map((name) => `\`${name}\``).join(", ")
    }.\n`,
    `**Stricter than the provider**:\n\n${listed(stricter)}\n`,
    `**Not played**:\n\n${listed(missing)}\n`,
    `**Sources**:\n\n${
      listed(Object.entries(sources).map(([name, [url, text]]) => `${name}: <${url}> (${text})`))
    }\n`,
  ].join("\n");
}

function factRow(id: string, { says, from, isUncertain, isAdjustable }: PresetFact): string {
  const marks = `${isUncertain ? " **?**" : ""}${isAdjustable ? " **⚙**" : ""}`;
  return `| ${says.replaceAll("{", "\\{")}${marks} | \`${id}\` | ${from.join(", ")} |`;
}

function listed(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

/** Returns the anchor of a heading, as GitHub makes it. */
function anchorOf(title: string): string {
  return title.toLowerCase().replace(/[^\w\s-]/g, "").replaceAll(" ", "-");
}
