import { assert, assertEquals, assertThrows } from "@std/assert";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { listedFolders } from "../../scripts/schema/feature_lists.ts";
import { featureInterfaces } from "../../src/lab/feature_interfaces.ts";
import { features } from "../../src/lab/features.ts";
import { laterPages, loadLabPages } from "../../src/lab/routes/page_table.ts";
import { labFileSchema } from "../../src/lab/util/lab_schema.ts";
import { placeEntries } from "../../src/lab/util/lists.ts";

/** A core of a lab that is still being opened. */
const closedCore = {
  outer: undefined,
  isGuarded: false,
  parts: () => refuse(),
  lab: () => refuse(),
};

type Listed = typeof features[number];

/** Returns the features that one needs. */
function needsOf({ needs = [] }: Listed): readonly unknown[] {
  return needs;
}

function refuse(): never {
  throw new Error("The core is not open yet.");
}

describe("A feature of a lab", () => {
  for (const feature of features) {
    it(`touches nothing of the core while it is opened: ${feature.name}`, () => {
      feature.open?.(closedCore);
      assertThrows(() => closedCore.lab(), Error, "not open yet");
    });
  }

  it("opens after those that it needs", () => {
    for (const [at, feature] of features.entries()) {
      for (const needed of needsOf(feature)) {
        assert(features.slice(0, at).some((each) => each === needed));
      }
    }
  });

  it("has a name and members that no other has", () => {
    const names = features.map(({ name }) => name);
    const members = features.map((feature) => feature.open?.(closedCore) ?? {})
      .flatMap(({ tools = {}, internals = {} }) => [
        ...Object.keys(tools),
        ...Object.keys(internals),
      ]);
    for (const list of [names, members]) assertEquals(new Set(list).size, list.length);
  });

  it("has pages and operations that no other has", async () => {
    const pages = (await loadLabPages()).map(({ method, path }) => `${method} ${path} as a page`);
    const operations = featureInterfaces.flatMap(({ operations = [] }) => operations)
      .map(({ method, path }) => `${method} ${path}`);
    const routes = [...pages, ...operations];
    assertEquals(new Set(routes).size, routes.length);
  });

  it("has its pages below the paths that load them", async () => {
    for (const { below, load } of laterPages) {
      const names = (await load()).map(({ path }) => path.split("/")[1]);
      if (below) assertEquals([...new Set(names)].sort(), [...below].sort());
    }
  });
});

/** What names a feature outside of its folder: the files, how they name it, and the reason. */
const namedForAReason: ReadonlyArray<readonly [files: RegExp, names: string, reason: string]> = [
  [
    /^src\/lab\/(?:recording|flows|pages\/flows|handling)\/|\/(?:authorized|report)\/|lab_log\.ts$/,
    "drill, fault, MCP",
    "an exchange has its faults and its drill, and may be a call of the MCP server",
  ],
  [/\/layers\/pending_exchange\.ts$/, "drill", "it collects what the record knows of an exchange"],
  [
    /(?:lab_page|active_faults)\.tsx?$|\/(?:mcp|report)\/interface\./,
    "drill, fault",
    "it names a place on a page",
  ],
  [/\/program\/lab\/greeting\.ts$/, "drill", "it names the pages to begin with"],
  [/\/control\/idle\.ts$/, "fault, hook", "it lists what these features say in their remarks"],
  [/\/ciba\/change_pings\.ts$/, "fault", "faults change the pings that it sends"],
  [/\/refused_requests\.ts$/, "hook", "it leaves out what cannot refuse a request"],
  [/\/snapshots\/interface\.ts$/, "fault", "a return forgets what a test changed"],
  [/\/features\/enterprise\//, "MCP", "the MCP server belongs to the enterprise"],
  [
    /\/features\/(?:agents|\w+\/agents\.ts)/,
    "drill, fault, MCP, /mcp",
    "agents speak MCP, and do all this",
  ],
  [
    /\/rpc\/|\/responses\/places\.ts$|\/features\/(?:mcp|enterprise)\//,
    "MCP, /mcp",
    "it is the path of two servers",
  ],
  [/\/features\/(?:drill|faults)\//, "MCP", "its parts of MCP are listed by features"],
  [/\/features\/verdicts\//, "drill", "it is what the drills share"],
  [
    /\/features\/api_drill\//,
    "drill, /drill, /lab/drill",
    "it is the other drill, which the same operation begins",
  ],
  [/\/token_exchange\/drill\.ts$/, "MCP", "what it adds is for the drill of such clients"],
  [/\/tenant_client\.ts$|\/drill\/feature\.ts$/, "enterprise", "its comment has it as an example"],
  [/\/recording\/lab_event\.ts$/, "drill", "it is the one union of all events"],
  [/\/responses\/places\.ts$/, "MCP", "it is the one table of where a request goes"],
  [/\/response_checks\.ts$/, "MCP", "its clients find a server by the metadata of an API"],
  [/\/child_lab_options\.ts$/, "drill", "the command has no use for the option"],
  [/^src\/compat\//, "lab.on, lab.restore", "it offers a part of a lab by its names"],
];

/** What texts call a feature. The other names are ordinary words, of English or of the protocol. */
const words: Readonly<Record<string, string>> = {
  drill: "drill",
  faults: "fault",
  flow_files: "flow file",
  hooks: "hook",
  mcp: "MCP",
  redirect_status: "redirect status",
  snapshots: "snapshot",
};

/** The list of features, and presets: they are data with settings of any feature. */
const listsFeatures = /^src\/lab\/(?:features\.ts|features\/providers\/presets\/)/;

/** Settings that are words of a dialect, of certificates and of users, too. */
const ordinarySettings: readonly string[] = ["provider", "providers", "hosts", "accounts"];

const sources = ["src/lab", "src/program", "src/compat"].filter(existsSync).flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ file: `${root}/${path}`, text: readFileSync(`${root}/${path}`, "utf8") }))
    .filter(({ file }) => !listsFeatures.test(file))
);

/** Returns what a pattern finds in the files of a feature. */
function foundIn({ name }: Listed, pattern: RegExp, files = /./): string[] {
  const folder = `src/lab/features/${name}/`;
  return sources.filter(({ file }) => file.startsWith(folder) && files.test(file))
    .flatMap(({ text }) => [...text.matchAll(pattern)].map(([, found = ""]) => found));
}

/** Returns the members, paths, links and settings of a feature, and the types of its events. */
function identifiersOf(feature: Listed): string[] {
  const { tools, internals } = feature.open?.(closedCore) ?? {};
  const declared = /\/(?:lab_server|recording)\.ts$/;
  const settings = foundIn(feature, /^ {2}(\w+)\?:/gm, declared);
  return [
    ...Object.keys({ ...tools, ...internals }).map((name) => `lab\\.${name}`),
    ...foundIn(feature, /(?:\bpath: |(?:pageAt|formAt)\(\s*)"([^":]+)"/g).flatMap((
      path,
    ) => [`"${path}`, `/lab${path}`]),
    ...settings.filter((name) =>
      Object.hasOwn(labFileSchema.members, name) && !ordinarySettings.includes(name)
    ),
    ...foundIn(feature, /\btype: ("[\w.]+")/g, declared),
  ];
}

/** Returns what a file says to users: its texts, without comments and imports. */
function textsIn(source: string): string {
  const code = source.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$|\bfrom "[^"]*"|\bimport\("[^"]*"/gm, "");
  const texts = code.matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|>[^<>{}=;]+</g);
  return [...texts].join("\n");
}

/** Returns where the source names a feature, in files that may not, and how. */
function namesOf(feature: Listed): string[] {
  const users = features.filter((each) => needsOf(each).includes(feature));
  const folders = [feature, ...users].map(({ name }) => name).join("|");
  const mayName = new RegExp(`/features/(?:(?:${folders})/|\\w+/${feature.name}\\.)`);
  const identifiers = new RegExp(
    `(?<![\\w.])(?:${identifiersOf(feature).join("|") || "(?!)"})(?![\\w/:])`,
    "g",
  );
  const word = words[feature.name] ?? "(?!)";
  return sources.filter(({ file }) => !mayName.test(file)).flatMap(({ file, text }) => {
    const named = text.match(identifiers) ?? [];
    const isNamed = new RegExp(`\\b${word}s?\\b`, "i").test(textsIn(text));
    const names = new Set([
      ...named.map((name) => name.replace('"', "")),
      ...isNamed ? [word] : [],
    ]);
    return [...names].filter((name) => !hasReason(file, name)).map((name) => `${file}: ${name}`);
  });
}

function hasReason(file: string, name: string): boolean {
  return namedForAReason.some(([files, names]) =>
    files.test(file) && names.split(", ").includes(name)
  );
}

describe("The identifiers of a feature of a lab", () => {
  for (const feature of features) {
    it(`are in its folder, and nowhere else but for a reason: ${feature.name}`, () => {
      assertEquals(
        namesOf(feature),
        [],
        "Use another word, import nothing of the feature, or add a row to 'namedForAReason'.",
      );
    });
  }
});

describe("The folders of a list of features", () => {
  const imports = 'import { a } from "./features/aa/feature.ts";\n';

  it("follow from its rows, with comments between them", () => {
    const list = `${imports}export const features: X[] = [\n  // [first], a\n  a, // one\n];\n`;
    assertEquals(listedFolders(list), ["aa"]);
  });

  it("are unknown for a row that no import explains", () => {
    const list = `${imports}export const features = [\n  a,\n  ...others,\n];\n`;
    assertThrows(() => listedFolders(list), Error, "'...others'");
  });
});

describe("placeEntries", () => {
  it("puts an entry before the one that it names, or at the end", () => {
    const entries = placeEntries([{ name: "a" }, { name: "c" }], [
      { name: "b", before: "c" },
      { name: "d" },
      { name: "e", before: "none of them" },
    ]);
    assertEquals(entries.map(({ name }) => name).join(""), "abcde");
  });
});
