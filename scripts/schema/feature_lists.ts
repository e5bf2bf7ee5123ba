/** Writes the lists of types that follow from the folders of features. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { filesIn, reachable } from "../files.ts";

/** An interface or a constant that a file of a feature exports. */
interface Exported {
  name: string;
  file: string;
  /** The declaration, to its end. */
  text: string;
}

/** An interface that extends those of features. Each belongs to the first one that it fits. */
interface Composition {
  name: string;
  /** What the interface has. */
  what: string;
  fits(exported: Exported): boolean;
}

const ofServer: readonly Composition[] = [
  { name: "FeaturePaths", what: "paths", fits: endsWith("Paths") },
  { name: "FeatureLifetimes", what: "lifetimes", fits: endsWith("Lifetimes") },
  { name: "FeaturePages", what: "pages", fits: endsWith("Pages") },
  { name: "FeatureClientConfig", what: "settings of a client", fits: endsWith("ClientConfig") },
  {
    name: "FeatureServerConfig",
    what: "settings of a server",
    fits: (each) => endsWith("Setting", "Config")(each) && !isPart(each),
  },
];

const ofLab: readonly Composition[] = [
  { name: "FeatureTools", what: "members for tests", fits: endsWith("Tools") },
  {
    name: "WholeLabSettings",
    what: "settings that no tenant has",
    fits: (each) => endsWith("Setting")(each) && each.text.includes("@forWholeLab"),
  },
  { name: "FeaturePowers", what: "settings of a lab or a tenant", fits: endsWith("Setting") },
];

/** Interfaces that the package does not export. */
const insideLab: readonly Composition[] = [
  { name: "FeatureInternals", what: "members for pages and program", fits: endsWith("Internals") },
];

/** Where what the package exports of a feature begins. */
const publicInServer = endsWith("Paths", "Lifetimes", "Pages", "Config", "Setting", "Words");
const publicInLab = endsWith("Tools", "Setting", "FaultName");

const written = "// Written by `deno task generate`, from the folders of the features.\n";

/** Returns the lists of a project, by their files. */
export function featureLists(): Record<string, string> {
  const settings = foldersIn("src/server/features").flatMap((folder) =>
    exportsIn(folder, /^config\.ts$/, "interface")
  );
  const inLab = foldersIn("src/lab/features").flatMap((folder) =>
    exportsIn(folder, /\.ts$/, "interface")
  );
  return {
    "src/server/feature_types.ts": typeList(
      settings,
      ofServer,
      publicTypes("src/server/features", publicInServer),
    ),
    "src/lab/feature_types.ts": typeList(
      inLab,
      ofLab,
      publicTypes("src/lab/features", publicInLab),
    ),
    "src/lab/feature_internals.ts": typeList(inLab, insideLab, []),
    "src/lab/feature_interfaces.ts": interfaceList("src/lab/features"),
    ...existsSync("src/lab/features/drill") && {
      "src/lab/features/drill/variants/feature_rows.ts": rowList("src/lab/features"),
    },
    "tests/lab/fixtures.ts": fixtureList("tests/lab/features"),
  };
}

/** A list of public types, and the interfaces that consist of those of the features. */
function typeList(
  interfaces: readonly Exported[],
  compositions: readonly Composition[],
  publicNames: readonly Exported[],
): string {
  const used = Map.groupBy(interfaces, (each) => compositions.find(({ fits }) => fits(each)));
  const composed = compositions.map((composition) => {
    const { name, what } = composition;
    const parts = used.get(composition)?.map((part) => part.name).join(", ");
    const extended = parts === undefined ? "" : `extends ${parts} `;
    return `/** The ${what} that features add. */\nexport interface ${name} ${extended}{}\n`;
  });
  const imports = importsOf(interfaces.filter((each) => !used.get(undefined)?.includes(each)));
  const exports = importsOf(publicNames, "export type");
  return [written + imports, exports, ...composed].filter(Boolean).join("\n");
}

/** What the package exports of the features: where `begins` says so, and what that refers to. */
function publicTypes(root: string, begins: (each: Exported) => boolean): Exported[] {
  return foldersIn(root).flatMap((folder) => {
    const declared = typesIn(folder);
    const found = reachable(declared.filter(begins), ({ text }) => {
      const words = text.replace(/\/\*[^]*?\*\/|\/\/.*/g, "").match(/\b[A-Z]\w+/g);
      return declared.filter(({ name }) => words?.includes(name));
    });
    return [...found].filter(({ text }) => text.startsWith("export"));
  });
}

/** The types that a folder declares, those that a file keeps for itself included. */
function typesIn(folder: string): Exported[] {
  return filesIn(folder, /\.tsx?$/).flatMap((file) => {
    const declared = readFileSync(file, "utf8").matchAll(
      /^(?:export )?(?:interface (\w+)(?:.*\{\}$|[^]*?^\})|type (\w+)[^]*?;$)/gm,
    );
    return [...declared].map(([text, name, alias = ""]) => ({ name: name ?? alias, file, text }));
  });
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

/** What the features of a lab add to the drill of an application. */
function rowList(root: string): string {
  const found = readdirSync(root).sort().flatMap((name) => {
    const file = join(root, name, "drill.ts");
    const source = existsSync(file) ? readFileSync(file, "utf8") : "";
    const [, list] = /^export const (\w+): readonly FeatureRows\[\]/m.exec(source) ?? [];
    return list === undefined ? [] : { name, list };
  });
  const imports = found.map(({ name, list }) =>
    `import { ${list} } from "../../${name}/drill.ts";`
  );
  return `${written}${imports.join("\n")}
import type { FeatureRows } from "./rows.ts";

/** What the features of a lab add to the drill of an application. */
export const featureRows: readonly FeatureRows[] = [
${found.map(({ list }) => `...${list},\n`).join("")}];
`;
}

/** What the features of a lab add to the tests of the whole lab. */
function fixtureList(root: string): string {
  const found = readdirSync(root).sort().flatMap((name) =>
    exportsIn(join(root, name), /^fixtures\.ts$/, "const")
  ).filter(({ text }) => text.includes(": LabFixtures ="));
  return `${written}import type { LabFixtures } from "../support/lab_fixtures.ts";
${importsOf(found, "import")}
/** What each feature of a lab adds to the tests of the whole lab. */
export const labFixtures: readonly LabFixtures[] = [
${found.map(({ name }) => `${name},\n`).join("")}];
`;
}

function endsWith(...endings: readonly string[]): (exported: Exported) => boolean {
  return ({ name }) => endings.some((ending) => name.endsWith(ending));
}

/** Whether an interface of settings is the type of a member of another one. */
function isPart({ name, file }: Exported): boolean {
  const mentioned = new RegExp(`^(?:  \\w+\\??: |export type ).*\\b${name}\\b.*;$`, "m");
  return mentioned.test(readFileSync(file, "utf8"));
}

function exportsIn(folder: string, file: RegExp, kind: "interface" | "const"): Exported[] {
  const files = readdirSync(folder).filter((name) => file.test(name)).sort()
    .map((name) => join(folder, name));
  return files.flatMap((file) => {
    const declared = readFileSync(file, "utf8").matchAll(
      new RegExp(`^export ${kind} (\\w+)(?:.*;$|[^]*?^\\})`, "gm"),
    );
    return [...declared].map(([text, name = ""]) => ({ name, file, text }));
  });
}

/** The folders of features, in the order of their rows. What has no row follows. */
function foldersIn(root: string): string[] {
  const listed = listedFolders(readFileSync(`${root}.ts`, "utf8"));
  return [...new Set([...listed, ...readdirSync(root).sort()])].map((name) => join(root, name));
}

/** Returns the folders that the rows of a list of features come from. */
export function listedFolders(list: string): string[] {
  const imported = list.matchAll(/^import \{ (\w+) \} from "\.\/features\/(\w+)\//gm);
  const folders = new Map([...imported].map(([, row = "", name = ""]) => [row, name]));
  const [, rows = ""] = /^export const features[^=]*= \[([^]*?)\];$/m.exec(list) ?? [];
  const names = rows.replace(/\/\*[^]*?\*\/|\/\/.*/g, "").split(",").map((row) => row.trim());
  return names.filter(Boolean).map((row) => {
    const folder = folders.get(row);
    if (folder === undefined) {
      throw new Error(`The row '${row}' is no import of a feature's folder.`);
    }
    return folder;
  });
}

/** The statements that import names, one for each file, or export all of a file of public types. */
function importsOf(names: readonly Exported[], keyword = "import type"): string {
  const files = [...Map.groupBy(names, ({ file }) => file)].sort(([a], [b]) => a < b ? -1 : 1);
  return files.map(([file, each]) => {
    const list = `{ ${each.map(({ name }) => name).sort().join(", ")} }`;
    const exported = readFileSync(file, "utf8").match(/^export /gm)?.length;
    const isWhole = keyword === "export type" && exported === each.length;
    return `${keyword} ${isWhole ? "*" : list} from "${from(file)}";\n`;
  }).join("");
}

/** The path of a file as a list imports it, which is in the folder of all features. */
function from(file: string): string {
  return `./${file.split("/").slice(2).join("/")}`;
}
