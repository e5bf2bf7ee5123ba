/**
 * Generates what follows from the documented interfaces of the settings: the schemas that check a
 * configuration, the defaults, the JSON Schema of a configuration file, and the reference. The
 * catalogue of rules follows from the rules, and from requests that break them; the document about
 * providers from their presets.
 *
 *   deno task generate            writes the files
 *   deno task generate --check    fails if one of them is not up to date
 */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import process from "node:process";
import { filesIn } from "./files.ts";
import { readKit } from "./references/read_kit.ts";
import { guideFiles } from "./references/write_guides.ts";
import { currentRelease, installFiles } from "./references/write_install.ts";
import { withKit } from "./references/write_kit.ts";
import { withSettings } from "./references/write_settings_reference.ts";
import { featureLists } from "./schema/feature_lists.ts";
import { readDeclarations, readSettingTypes } from "./schema/read_settings.ts";
import { versionFiles } from "./schema/version_files.ts";
import { jsonSchema } from "./schema/write_json_schema.ts";
import { settingReasons } from "./schema/write_reasons.ts";
import { type SettingsFiles, settingsFiles } from "./schema/write_settings.ts";

const isCheck = process.argv.includes("--check");

// What follows reads these lists.
await update({ ...versionFiles(), ...featureLists() });
// Guides are made from documents that say how to install it.
await update(installFiles());
await update(await guideFiles());

/** Where types are declared: no two of them have the same name. */
const sources = filesIn("src", /\.ts$/);

/** What is generated for each feature, with its interfaces. */
const featureSettings = await readInterfaces("src/server/features", "config.ts", "settings.json");
const featureBodies = await readInterfaces("src/lab/features", "calls.ts", "calls.json");

const labTexts = await Promise.all(
  filesIn("src/lab", /\.tsx?$/).map((file) => readFile(file, "utf8")),
);

/** The bodies that the interface over HTTP checks, because the lab itself does not. */
const apiBodies = namesInLab(/\bbodySchemas\.(\w+)/g);

/** What operations of a lab name as their bodies and responses, and what the directory has. */
const namedByOperations = namesInLab(/\b(?:body: \{ name|returns): "([A-Z]\w+)/g)
  .concat("UserConfig", "ClientConfig");

/** What is written in full. Their sections, and those of all that they consist of, have titles. */
const documents = ["Config", "ProgramConfig", "LabFileConfig"];

/** The sections of the reference: what people write by hand. The schema describes all others. */
const titles = new Map([
  ["Config", "Server"],
  ["ClientConfig", "Clients"],
  ["UserConfig", "Users"],
  ["ResourceConfig", "Resources"],
  ["RegistrationConfig", "Registration"],
  ["AllowConfig", "Registered clients"],
  ["MtlsConfig", "Mutual TLS"],
  ["ScopeConfig", "Scopes"],
  ["TrustedIssuerConfig", "Trusted issuers"],
  ["AuthorizationDetailType", "Authorization details"],
  ["BrandConfig", "Brand"],
  ["LifetimesConfig", "Lifetimes"],
  ["SigningKeyConfig", "Signing keys"],
  ["ProgramConfig", "The program"],
  ["LabFileConfig", "The lab"],
]);

/** What the settings of the core consist of. */
const serverParts = [
  "CoreConfig",
  "CoreLifetimesConfig",
  "CorePathsConfig",
  "InsecureConfig",
  "CoreClientConfig",
  "UserConfig",
];

const declarations = await readDeclarations(sources);
const types = readSettingTypes(declarations, documents);
// What no file declares, such as LabSettings, is made of others.
const apiNames = namedByOperations.filter((name) => declarations.has(name));
const apiTypes = readSettingTypes(declarations, [
  ...["LabServerConfig", "LabFileConfig", "TenantOptions", "HallpassOptions"],
  ...serverParts,
  ...featureSettings.flatMap(({ names }) => names),
], [...apiNames, "FlowScope", ...featureBodies.flatMap(({ names }) => names)]);

/** One file for each part that a server or a lab could do without. */
const settings: SettingsFiles = {
  "static/settings/authorization_details.json": [[
    "AuthorizationDetailType",
    "AuthorizationDetailFields",
  ], types],
  "static/settings/clients.json": [["ClientConfig"], types],
  "static/settings/dialect.json": [["Dialect"], types],
  "static/settings/lab.json": [["LabFileConfig"], types],
  "static/settings/lab_calls.json": [apiBodies, apiTypes],
  "static/settings/program.json": [["ProgramConfig"], types],
  "static/settings/server.json": [serverParts, apiTypes],
  ...Object.fromEntries(
    [...featureSettings, ...featureBodies].map(({ file, names }) => [file, [names, apiTypes]]),
  ),
};

// A server cannot be loaded without its settings, and these load one.
await update({
  ...settingsFiles(settings),
  ...settingReasons(new Map([...apiTypes, ...types])),
});
const { createRuleCatalogue, ruleReference } = await import("./rules/rule_catalogue.ts");
const { faultReference } = await import("./references/write_faults.ts");
const { withEndpoints } = await import("./references/write_http.ts");
const { agentFiles } = await import("./references/write_skill.ts");
const { providerFiles } = await import("./references/write_providers.ts");
const { applicationFiles } = await import("./references/write_applications.ts");
const { frameworkFiles } = await import("./references/write_frameworks.ts");
const { apiSchemas } = await import("./schema/write_api_schemas.ts");
const catalogue = await createRuleCatalogue();
await update({
  ...await agentFiles(),
  "static/config.schema.json": jsonSchema(types, ["Config", "ProgramConfig", "LabFileConfig"]),
  "static/lab_schemas.json": apiSchemas(apiTypes, apiNames),
  "static/rules.json": JSON.stringify(catalogue),
  ".github/CONFIGURATION.md": withSettings(
    await readFile(".github/CONFIGURATION.md", "utf8"),
    types,
    titles,
  ),
  ".github/HTTP_INTERFACE.md": await withEndpoints(
    await readFile(".github/HTTP_INTERFACE.md", "utf8"),
    new Map([...types, ...apiTypes]),
  ),
  ".github/FAULTS_AND_DRILLS.md": await faultReference(),
  ".github/THE_KIT.md": withKit(
    await readFile(".github/THE_KIT.md", "utf8"),
    await readKit("src/lab/testing/mod.ts"),
  ),
  ".github/RULES.md": ruleReference(catalogue),
  ...await providerFiles(),
  ...frameworkFiles(),
  ...await applicationFiles(),
});

// After the first release, a promise that breaks needs a line in the changelog: deno task api.
if (!isCheck && currentRelease.published === "") {
  const { apiFile } = await import("./api.ts");
  await update(await apiFile());
}

/** Writes what differs from its file. With --check, it fails instead. */
async function update(generated: Readonly<Record<string, string>>): Promise<void> {
  const outdated: string[] = [];
  for (const [file, content] of Object.entries(generated)) {
    const text = /\.(?:ts|json)$/.test(file) ? format(file, content) : content;
    if (text === await readFile(file, "utf8").catch(() => "")) continue;
    outdated.push(file);
    if (!isCheck) await writeFile(file, text);
  }
  if (!isCheck || outdated.length === 0) return;
  console.error(`Out of date: ${outdated.join(", ")}. Run: deno task generate`);
  process.exit(1);
}

/** Returns what a pattern finds in the sources of a lab, each once. */
function namesInLab(pattern: RegExp): string[] {
  const found = labTexts.flatMap((text) => [...text.matchAll(pattern)]);
  return [...new Set(found.map(([, name = ""]) => name))];
}

/** Finds the interfaces that a file of each feature exports, and what is generated from them. */
async function readInterfaces(folder: string, from: string, to: string) {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  const all = names.map(async (name) => {
    const source = join(folder, name, from);
    const text = await readFile(source, "utf8").catch(() => "");
    const interfaces = [...text.matchAll(/^export interface (\w+)/gm)].map(([, name = ""]) => name);
    return { source, file: join(folder, name, to), names: interfaces };
  });
  const found = (await Promise.all(all)).filter(({ names }) => names.length > 0);
  // Nothing can read a module that imports a missing file.
  for (const { file } of isCheck ? [] : found) {
    await writeFile(file, "{}", { flag: "wx" }).catch(() => {}); // It exists.
  }
  return found;
}

/** Formats a file as `deno fmt` would, so that a check finds only true differences. */
function format(file: string, content: string): string {
  const flags = ["--quiet", "--no-config", "--line-width=100", "--ext", extname(file).slice(1)];
  const options = { input: content, encoding: "utf8" } as const;
  return execFileSync(process.execPath, ["fmt", ...flags, "-"], options);
}
