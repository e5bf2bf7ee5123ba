import { assert, assertEquals, assertThrows } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { featureInterfaces } from "../../src/lab/feature_interfaces.ts";
import { features } from "../../src/lab/features.ts";
import { labFileSchema } from "../../src/lab/util/lab_schema.ts";
import { placeEntries } from "../../src/lab/util/place_entries.ts";

/** A core of a lab that is still being opened. */
const closedCore = {
  around: () => refuse(),
  parts: () => refuse(),
  lab: () => refuse(),
  dryRunLayers: () => refuse(),
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
      feature.open(closedCore);
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
    const members = features.map((feature) => feature.open(closedCore)).flatMap((
      { tools, internals },
    ) => [...Object.keys(tools), ...Object.keys(internals)]);
    for (const list of [names, members]) assertEquals(new Set(list).size, list.length);
  });

  it("has pages and operations that no other has", () => {
    const routes = featureInterfaces.flatMap(({ operations = [], pages = [] }) => [
      ...operations.map(({ method, path }) => `${method} ${path}`),
      ...pages.map(({ method, path }) => `${method} ${path} as a page`),
    ]);
    assertEquals(new Set(routes).size, routes.length);
  });
});

/** What names a feature outside of its folder, each with the reason. */
const namedForAReason: Readonly<Record<string, string>> = {
  "src/compat/oauth2_mock_server.ts: lab.on": "it offers a part of a lab by its names",
  "src/compat/oauth2_mock_server.ts: lab.restore": "it offers a part of a lab by its names",
  "src/lab/lab_server/changeable_settings.ts: /lab/changes": "the setting that is refused names it",
  "src/lab/lab_server/changeable_settings.ts: lab.changeResponse": "the same",
  "src/lab/lab_server/lab_config.ts: lab.changeResponse": "the same, in its description",
  "src/program/commands/token_command.ts: /evaluate": "the command asks a lab that runs",
};

const sources = ["src/lab", "src/program", "src/compat"].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ file: `${root}/${path}`, text: readFileSync(`${root}/${path}`, "utf8") }))
);

/** Returns where the source has one of some identifiers, in files that may not name them. */
function namesFound(identifiers: readonly string[], mayName: (file: string) => boolean): string[] {
  if (identifiers.length === 0) return [];
  const pattern = new RegExp(`(?<![\\w.])(?:${identifiers.join("|")})(?![\\w/:])`, "g");
  return sources.filter(({ file }) => !mayName(file)).flatMap(({ file, text }) =>
    [...new Set(text.match(pattern) ?? [])].map((found) => `${file}: ${found.replace('"', "")}`)
  );
}

/** The list of features, and presets: they are data with settings of any feature. */
const listsSettings = /^src\/lab\/(?:features\.ts|providers\/)/;

/** Returns the settings of a feature, and the types of its events. */
function settingsIn(name: string): string[] {
  return sources.filter(({ file }) => /\/(lab_server|recording)\.ts$/.test(file))
    .filter(({ file }) => file.startsWith(`src/lab/features/${name}/`))
    .flatMap(({ text }) => [...text.matchAll(/^ {2}(\w+)\?:|\btype: ("[\w.]+")/gm)])
    .map(([, setting, event]) => setting ?? event ?? "")
    .filter((name) => name.startsWith('"') || Object.hasOwn(labFileSchema.members, name));
}

describe("The identifiers of a feature of a lab", () => {
  it("are in its folder, and nowhere else but for a reason", () => {
    const ofMembers = features.flatMap((feature) => {
      const { tools, internals } = feature.open(closedCore);
      const members = Object.keys({ ...tools, ...internals }).map((name) => `lab\\.${name}`);
      const mayName = [feature, ...features.filter((each) => needsOf(each).includes(feature))];
      const folders = mayName.map(({ name }) => `/features/${name}/`);
      return namesFound(members, (file) => folders.some((folder) => file.includes(folder)));
    });
    const paths = featureInterfaces.flatMap(({ operations = [], pages = [] }) =>
      [...operations, ...pages].map(({ path }) => path)
    ).filter((path) => !path.includes(":"));
    const settings = features.flatMap(({ name }) =>
      namesFound(
        settingsIn(name),
        (file) => file.includes(`/features/${name}/`) || listsSettings.test(file),
      )
    );
    const isFeature = (file: string) => /^src\/(lab|program)\/features\//.test(file);
    const ofPaths = namesFound([...new Set(paths)].map((path) => `"${path}`), isFeature);
    const ofLinks = namesFound([...new Set(paths)].map((path) => `/lab${path}`), isFeature);
    const found = [...ofMembers, ...ofPaths, ...ofLinks, ...settings];
    assertEquals(found.filter((each) => !Object.hasOwn(namedForAReason, each)), []);
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
