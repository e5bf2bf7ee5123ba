/** Writes the lists of types that follow from the folders of features. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What an interface of a feature extends, by how its name ends. */
interface Composition {
  name: string;
  /** What the interface that is written contains. */
  what: string;
  ending: RegExp;
}

/** An interface or a constant that a file of a feature exports. */
interface Exported {
  name: string;
  file: string;
}

/** Interfaces of the settings of a server. The first that fits a name is the one. */
const ofServer: readonly Composition[] = [
  { name: "FeaturePaths", what: "paths", ending: /Paths$/ },
  { name: "FeatureLifetimes", what: "lifetimes", ending: /Lifetimes$/ },
  { name: "FeaturePages", what: "pages", ending: /Pages$/ },
  { name: "FeatureClientConfig", what: "settings of a client", ending: /ClientConfig$/ },
  { name: "FeatureServerConfig", what: "settings of a server", ending: /(?:Setting|Config)$/ },
];

const ofLab: readonly Composition[] = [
  { name: "FeatureTools", what: "members for tests", ending: /Tools$/ },
];

/** What no package exports. */
const insideLab: readonly Composition[] = [{
  name: "FeatureInternals",
  what: "members for the pages, the program and each other",
  ending: /Internals$/,
}];

const written = "// Written by `deno task generate`, from the folders of the features.\n";

/** Returns the lists of a project, by their files. */
export function featureLists(): Record<string, string> {
  const server = "src/server/features";
  const lab = "src/lab/features";
  const settings = foldersIn(server).flatMap(settingsIn);
  const members = foldersIn(lab).flatMap(membersIn);
  return {
    "src/server/feature_types.ts": typeList(settings, ofServer, publicTypes(server)),
    "src/lab/feature_types.ts": typeList(members, ofLab, publicTypes(lab)),
    "src/lab/feature_internals.ts": typeList(members, insideLab, []),
    "src/lab/feature_interfaces.ts": interfaceList(lab),
  };
}

/** A list of public types, and the interfaces that consist of those of the features. */
function typeList(
  interfaces: readonly Exported[],
  compositions: readonly Composition[],
  exported: readonly string[],
): string {
  const left = new Set(interfaces);
  const composed = compositions.map(({ name, what, ending }) => {
    const parts = [...left].filter((each) => ending.test(each.name));
    for (const part of parts) left.delete(part);
    const names = parts.map((part) => part.name).join(", ");
    return `/** The ${what} that features add. */\nexport interface ${name} extends ${names} {}\n`;
  });
  const imports = importsOf(interfaces.filter((each) => !left.has(each)), "import type");
  const exports = exported.map((file) => `export type * from "${from(file)}";\n`).join("");
  return [written + imports, ...exports ? [exports] : [], ...composed].join("\n");
}

/** The files with what the package exports of each feature. */
function publicTypes(root: string): string[] {
  return foldersIn(root).map((folder) => join(folder, "types.ts")).filter(isFile).sort();
}

/** What the features of a lab have over HTTP, which loads with the first request for it. */
function interfaceList(root: string): string {
  const found = foldersIn(root).flatMap((folder) =>
    exportsIn(folder, /^interface\.tsx?$/, "const")
  );
  return `${written}${importsOf(found, "import")}import type { Lab } from "./lab.ts";
import type { FeatureInterface } from "./pages/page/feature_interface.ts";

/** What the features of a lab have over HTTP. */
export const featureInterfaces: ReadonlyArray<FeatureInterface<Lab>> = [
${found.map(({ name }) => `${name},\n`).join("")}];
`;
}

/** The interfaces of settings that are not a part of another one. */
function settingsIn(folder: string): Exported[] {
  const source = join(folder, "config.ts");
  if (!isFile(source)) return [];
  const text = readFileSync(source, "utf8");
  // The type of a member, or of one of its choices.
  const isPart = (name: string) =>
    new RegExp(`^(?:  \\w+\\??: |export type ).*\\b${name}\\b.*;$`, "m").test(text);
  return exportsIn(folder, /^config\.ts$/, "interface").filter(({ name }) =>
    !/(?:Setting|Config)$/.test(name) || /ClientConfig$/.test(name) || !isPart(name)
  );
}

/** The interfaces that a row of the lab's features adds: the ones its `LabFeature` names. */
function membersIn(folder: string): Exported[] {
  const row = join(folder, "feature.ts");
  if (!isFile(row)) return [];
  const [, named = ""] = /: LabFeature<([^>]*)>/.exec(readFileSync(row, "utf8")) ?? [];
  // The third names what the feature needs of others.
  const own = named.split(",").slice(0, 2).map((name) => name.trim());
  return exportsIn(folder, /\.tsx?$/, "interface").filter(({ name }) => own.includes(name));
}

function exportsIn(folder: string, file: RegExp, kind: "interface" | "const"): Exported[] {
  const files = readdirSync(folder).filter((name) => file.test(name)).sort();
  return files.flatMap((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    const declared = text.matchAll(new RegExp(`^export ${kind} (\\w+)`, "gm"));
    return [...declared].map(([, exported = ""]) => ({ name: exported, file: join(folder, name) }));
  });
}

/** The folders of features, in the order of their rows. What has no row follows. */
function foldersIn(root: string): string[] {
  const list = readFileSync(`${root}.ts`, "utf8");
  const rows = new Map(
    [...list.matchAll(/^import \{ (\w+) \} from "\.\/features\/(\w+)\//gm)]
      .map(([, row = "", name = ""]) => [row, name]),
  );
  const [, order = ""] = /^export const features[^=]*= \[([^\]]*)\]/m.exec(list) ?? [];
  const listed = order.split(",").flatMap((row) => rows.get(row.trim()) ?? []);
  return [...new Set([...listed, ...readdirSync(root).sort()])].map((name) => join(root, name));
}

/** The statements that import names, one for each file. */
function importsOf(names: readonly Exported[], keyword: string): string {
  const files = [...Map.groupBy(names, ({ file }) => file)].sort(([a], [b]) => a < b ? -1 : 1);
  return files.map(([file, each]) => {
    const list = each.map(({ name }) => name).sort().join(", ");
    return `${keyword} { ${list} } from "${from(file)}";\n`;
  }).join("");
}

/** The path of a file as the list imports it, which stands two folders above its feature. */
function from(file: string): string {
  return `./${file.split("/").slice(2).join("/")}`;
}

function isFile(path: string): boolean {
  const folder = path.slice(0, path.lastIndexOf("/"));
  return readdirSync(folder).includes(path.slice(folder.length + 1));
}
