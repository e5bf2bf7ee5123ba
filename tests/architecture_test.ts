import { assert, assertEquals } from "@std/assert";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, it } from "node:test";
import { bundle, optionalPackages } from "../scripts/bundle.ts";
import { memoize } from "../src/server/util/values/memoize.ts";
import { present } from "./support/present.ts";
import { inside, vocabulary } from "./support/server_door.ts";

/** The layers, lowest first. A module imports from its own layer or from a lower one. */
const layers: ReadonlyArray<readonly string[]> = [
  ["src/server/util/"],
  ["src/server/model/"],
  ["src/server/protocol/"],
  ["src/server/http/", "src/server/pages/", "src/server/store/"],
  ["src/server/config/"],
  ["src/server/issuer/"],
  ["src/server/grants/"],
  ["src/server/endpoints/"],
  ["src/server/feature.ts", "src/server/feature_parts.ts"],
  ["src/server/server.ts"],
  ["src/server/features/"],
  ["src/server/feature_types.ts"],
  ["src/server/full_config.ts", "src/server/features.ts"],
  ["src/server/mod.ts"],
  ["src/administration/", "src/runtime/", "src/resource/"],
  ["src/lab/util/", "src/lab/demo/", "src/lab/certificates/", "src/lab/rpc/"],
  ["src/lab/recording/", "src/lab/browser/"],
  ["src/lab/tokens/", "src/lab/responses/", "src/lab/sign_in/", "src/lab/layers/"],
  ["src/lab/findings/"],
  ["src/lab/dialect/"],
  ["src/lab/lab_server/"],
  ["src/lab/core/"],
  ["src/lab/leniencies/"],
  ["src/lab/feature_row.ts"],
  ["src/lab/flows/"],
  ["src/lab/control/"],
  ["src/lab/client_role/", "src/lab/handling/"],
  ["src/lab/feature.ts"],
  ["src/lab/pages/parts/"],
  ["src/lab/pages/page/"],
  ["src/lab/pages/"],
  ["src/lab/features/"],
  ["src/lab/features.ts", "src/lab/feature_internals.ts", "src/lab/feature_types.ts"],
  ["src/lab/lab_config.ts"],
  ["src/lab/lab.ts"],
  ["src/lab/feature_interfaces.ts"],
  ["src/lab/routes/"],
  ["src/lab/members/"],
  ["src/lab/open_lab.ts"],
  ["src/lab/testing/"],
  ["src/compat/", "src/playground/"],
  ["src/program/terminal/"],
  ["src/program/monitoring/", "src/program/processes/"],
  ["src/program/command_line/"],
  ["src/program/configuration/"],
  ["src/program/operate/"],
  ["src/program/administration/", "src/program/doctor/", "src/program/lab/"],
  ["src/program/lab_client/", "src/program/features/"],
  ["src/program/commands/"],
  ["src/program/commands.ts", "src/main.ts"],
];

/** Packages that have one place each. */
const places: Record<string, RegExp> = {
  "preact": /^src\/(server\/(pages|features)|lab|playground)\//,
  "preact-render-to-string": /^src\/server\/pages\//,
  "jose":
    /^src\/(server\/(mod\.ts|(util|model|protocol|config|issuer|features)\/)|(resource|lab|compat)\/)/,
  "jose/jwe/compact/decrypt": /^src\/server\/features\/jwe\/envelope\.ts$/,
  "jose/jwe/compact/encrypt":
    /^src\/(server\/features\/jwe\/envelope|lab\/features\/jwe\/encrypt_wrongly)\.ts$/,
  "htmlparser2": /^src\/lab\/features\/drill\/html_tags\.ts$/,
  "@redis/client": /^src\/server\/store\/redis\/driver\.ts$/,
  "postgres": /^src\/server\/store\/postgres\/driver\.ts$/,
  "srvx/node": /^src\/runtime\/node(_messages)?\.ts$/,
  "node:http":
    /^src\/(runtime\/(node(_\w+)?|guarded_fetch)|lab\/(testing\/node_http|util\/navigation))\.ts$/,
  "node:readline": /^src\/program\/terminal\/streams\.ts$/,
  "node:stream": /^src\/(lab\/testing\/node_http|program\/terminal\/streams)\.ts$/,
  "node:https": /^src\/(runtime\/(node|guarded_fetch)|lab\/util\/navigation)\.ts$/,
  "node:child_process": /^src\/program\/processes\/child_process\.ts$/,
  "node:dns/promises": /^src\/(runtime\/resolve_host|program\/doctor\/probe)\.ts$/,
  "node:net": /^src\/(program\/doctor\/probe|lab\/features\/api_drill\/sockets)\.ts$/,
  "node:tls": /^src\/(runtime\/node_connections|lab\/features\/api_drill\/sockets)\.ts$/,
  "node:sqlite": /^src\/(server\/store\/sqlite(\.ts|\/)|program\/operate\/sqlite_\w+\.ts$)/,
  "node:worker_threads": /^src\/server\/store\/sqlite\/writer_thread\.ts$/,
  "node:timers":
    /^src\/(server\/store\/(postgres\/call_groups|sqlite\/group_commit)|runtime\/turn)\.ts$/,
  "node:buffer": /^src\/server\/store\/postgres\/row_calls\.ts$/,
  "node:process":
    /^src\/(main|runtime\/turn|program\/(terminal\/(streams|own_name)|lab\/parent_process|processes\/process_groups|monitoring\/store_metrics|features\/drill\/open_browser))\.ts$/,
  "node:stream/consumers": /^src\/main\.ts$/,
  "node:fs":
    /^src\/(server\/store\/sqlite(\.ts|\/)|program\/(operate\/sqlite_\w+|terminal\/streams)\.ts$)/,
  "node:fs/promises": /^src\/program\//,
  "node:module": /^src\/program\/features\/drill\/open_browser\.ts$/,
  "node:os":
    /^src\/program\/(administration\/configured_store|processes\/child_process|features\/drill\/open_browser)\.ts$/,
  "node:path": /^src\/(program\/|server\/store\/sqlite\/)/,
  "node:url": /^src\/program\//,
  "node:util": /^src\/program\/features\/watch\//,
};

const files = modulesIn("src");

/** More than there are in `src` and `scripts`. */
const maxFiles = 10_000;

function modulesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes("node_modules"))
    .map((file) => join(folder, file));
}

const sourceOf = memoize((file) => readFileSync(file, "utf8"), maxFiles);

/** The files whose text matches. */
function filesWith(pattern: RegExp, among = files): string[] {
  return among.filter((file) => pattern.test(sourceOf(file)));
}

const importsOf = memoize((file) =>
  [
    ...sourceOf(file).matchAll(
      /(?:^|\n)\s*(?:import|export)\s[^"';]*?from\s+"([^"]+)"|import\("([^"]+)"\)|(?:^|\n)import "([^"]+)"/g,
    ),
  ].map(([, from, dynamic, bare]) => from ?? dynamic ?? bare ?? ""), maxFiles);

/** The rows of the lab's features, by hand, and what `deno task generate` writes from the folders. */
const labLists = ["features", "feature_internals", "feature_types", "feature_interfaces"]
  .map((name) => `src/lab/${name}.ts`);

/** The files of what runs in programs of others. */
const ofLibrary = files.filter((file) => !file.startsWith("src/program/"));

/** The folders of the features of the lab. */
const labFeatures = files.filter((file) => /^src\/lab\/features\/\w+\/feature\.ts$/.test(file))
  .map((file) => file.replace("feature.ts", ""));

/** The names of the types that a file declares, exported or not. */
function typesIn(file: string): string[] {
  const declarations = sourceOf(file).matchAll(
    /^(?:export )?(?:declare )?(?:type|interface|class) (\w+)\b(?! from)/gm,
  );
  return [...declarations].map(([, name = ""]) => name);
}

/** The modules of ours that a file imports, of its own root. */
const neighboursOf = memoize((file) => {
  const [root = ""] = file.split("/", 1);
  return importsOf(file).filter((target) => target.startsWith("."))
    .map((target) => normalize(join(dirname(file), target)))
    .filter((target) => target.startsWith(`${root}/`));
}, maxFiles);

/** The feature of the server that a file is a part of, in the server or in the lab. */
function featureOf(file: string): string | undefined {
  return /^src\/\w+\/features\/(\w+)\//.exec(file)?.[1];
}

/**
 * What folders of lab and program list of a feature has their names. All else that a feature of
 * lab or program has is on the layer of such features.
 */
function inListingFolder(file: string): string {
  const listed = file.replace(
    /^src\/(lab|program)\/features\/\w+\/(\w+)(?:\.tsx?$|\/)/,
    "src/$1/$2/",
  );
  if (isListing(listed)) return listed;
  const feature = listed.replace("src/lab/", "src/lab/features/");
  if (labFeatures.includes(feature)) return feature;
  const isOther = file.startsWith("src/program/features/") ||
    labFeatures.some((folder) => file.startsWith(folder));
  return isOther ? file : listed;
}

/** Whether a folder of lab or program lists parts of its features. Pages are in another list. */
function isListing(file: string): boolean {
  const [folder = ""] = /^src\/(?:lab|program)\/\w+\//.exec(file) ?? [];
  return folder !== "src/lab/pages/" && layers.flat().includes(folder);
}

/** A feature of the lab is in one place, with all that other features list of it. */
function folderPlace(file: string): string {
  return file.startsWith("src/lab/") ? file : inListingFolder(file);
}

const layerOf = memoize((file): number => {
  const within = folderPlace(file);
  const places = layers.flat().filter((place) =>
    within === place || (place.endsWith("/") && within.startsWith(place))
  );
  const [nearest] = places.sort((a, b) => b.length - a.length);
  assert(nearest, `${file} belongs to no layer`);
  return layers.findIndex((each) => each.includes(nearest));
}, maxFiles);

describe("Architecture", () => {
  it("has a layer for every file", () => {
    for (const file of files) layerOf(file);
  });

  it("has no import that points up", () => {
    const up = files.flatMap((file) =>
      neighboursOf(file).filter((target) => layerOf(target) > layerOf(file)).map((target) =>
        `${file} -> ${target}`
      )
    );
    assertEquals(up, []);
  });

  it("names a feature of the server in the lists of features, and in the lab's folder for it", () => {
    const lists = ["src/server/features.ts", "src/server/feature_types.ts"];
    const ofFeatures = files.filter((file) => !file.startsWith("src/server/features/"))
      .flatMap((file) =>
        neighboursOf(file)
          .filter((target) => target.startsWith("src/server/features/"))
          .filter((target) => featureOf(target) !== featureOf(file) && !lists.includes(file))
          .map((target) => `${file} -> ${target}`)
      );
    assertEquals(ofFeatures, []);
  });

  it("has a server that loads no driver of a database: each is imported separately", () => {
    const isDriver = (file: string) =>
      /^src\/server\/store\/(sqlite|postgres|redis)[./]/.test(file);
    const found = files.filter((file) => file.startsWith("src/server/") && !isDriver(file))
      .filter((file) => neighboursOf(file).some(isDriver));
    assertEquals(found, ["src/server/store/database_url.ts"]);
  });

  it("has features of the server that know only those that they need", () => {
    const folderOf = (file: string) => file.split("/").slice(0, 4).join("/");
    const isNeeded = (file: string, target: string) =>
      neighboursOf(`${folderOf(file)}/feature.ts`).includes(`${folderOf(target)}/feature.ts`);
    const crossing = files.filter((file) => file.startsWith("src/server/features/"))
      .flatMap((file) =>
        neighboursOf(file).filter((target) =>
          target.startsWith("src/server/features/") && folderOf(target) !== folderOf(file) &&
          !isNeeded(file, target)
        ).map((target) => `${file} -> ${target}`)
      );
    assertEquals(crossing, []);
  });

  it("has a lab whose core imports no feature but in its lists, types included", () => {
    const core = files.filter((file) =>
      file.startsWith("src/lab/") && !file.startsWith("src/lab/features/") &&
      !labLists.includes(file)
    );
    const found = core.flatMap((file) =>
      neighboursOf(file).filter((target) => target.startsWith("src/lab/features/"))
        .map((target) => `${file} -> ${target}`)
    );
    assertEquals(found, []);
  });

  it("has features of the lab that only lists name, and those that need them", () => {
    const isListed = (file: string) => labLists.includes(file);
    const named = labFeatures.flatMap((folder) => {
      const isNeededBy = (file: string) =>
        labFeatures.some((other) =>
          (file.startsWith(other) || featureOf(file) === featureOf(other)) &&
          neighboursOf(`${other}feature.ts`).includes(`${folder}feature.ts`)
        );
      const importers = files.filter((file) =>
        neighboursOf(file).some((target) => target.startsWith(folder))
      );
      const listsAPart = (file: string) =>
        neighboursOf(file).filter((target) => target.startsWith(folder))
          .every((target) => file.startsWith(inListingFolder(target)));
      return importers.filter((file) =>
        inListingFolder(file) !== folder &&
        featureOf(file) !== featureOf(folder) && !isListed(file) && !isNeededBy(file) &&
        !listsAPart(file)
      ).map((file) => `${file} -> ${folder}`);
    });
    assertEquals(named, []);
  });

  it("has no circle", () => {
    assertEquals(circles(files, neighboursOf), []);
    const ofScripts = (file: string) => neighboursOf(file).filter((each) => existsSync(each));
    assertEquals(circles(modulesIn("scripts"), ofScripts), []);
  });

  for (const root of ["src/server/issuer", "src/lab", "src/program"]) {
    it(`has no circle among the folders of ${root}/ either`, () => {
      const folders = readdirSync(root, { withFileTypes: true }).filter((each) =>
        each.isDirectory()
      ).map(({ name }) => name);
      const neighbours = new Map(folders.map((folder) => [folder, foldersBeside(root, folder)]));
      assertEquals(circles(folders, (folder) => neighbours.get(folder)!), []);
    });
  }

  it("has a drop-in that anybody could have written: it imports the test kit and jose", () => {
    const targets = files.filter((file) => file.startsWith("src/compat/")).flatMap(importsOf);
    assertEquals(targets.sort(), ["../lab/testing/mod.ts", "jose"]);
  });

  it("has commands that are leaves: nothing imports one but the table that lists them", () => {
    const importers = files.filter((file) =>
      neighboursOf(file).some((target) => target.startsWith("src/program/commands/"))
    );
    assertEquals(importers, ["src/program/commands.ts"]);
  });

  it("has no loose file beside the folders of the program but the table of commands", () => {
    const loose = files.filter((file) => /^src\/program\/[^/]+$/.test(file));
    assertEquals(loose, ["src/program/commands.ts"]);
  });

  it("declares no type name twice", () => {
    const declared = files.flatMap((file) => typesIn(file).map((name) => ({ name, file })));
    const again = [...Map.groupBy(declared, ({ name }) => name).values()].filter(([, ...others]) =>
      others.length > 0
    );
    assertEquals(again, [], "Type names are unique in src: choose another one.");
  });

  it("derives secrets for purposes that are texts, and that no two files share", () => {
    const uses = files.flatMap((file) =>
      [...sourceOf(file).matchAll(/keys\.derive\(\s*([^,]+),/g)]
        .map(([, purpose = ""]) => ({ purpose, file }))
    );
    assert(uses.length > 5);
    const shared = [...Map.groupBy(uses, ({ purpose }) => purpose)].filter(([purpose, of]) =>
      !purpose.startsWith('"') || new Set(of.map(({ file }) => file)).size > 1
    );
    assertEquals(shared, [], "Choose another purpose, as a text.");
  });

  it("names Preact in each file with JSX, for Bun, whose builds read no deno.json", () => {
    const withJsx = files.filter((file) => file.endsWith(".tsx"));
    assertEquals(filesWith(/^(?!\/\*\* @jsxImportSource preact \*\/)/, withJsx), []);
  });

  it("keeps every package in its place", () => {
    for (const file of files) {
      for (const target of importsOf(file).filter((each) => !each.startsWith("."))) {
        assert(places[target]?.test(file), `${file} imports ${target}`);
      }
    }
  });

  it("reads no clock, rolls no dice and writes no log below the runtime", () => {
    const below = files.filter((file) => layerOf(file) < layerOf("src/server/mod.ts"));
    const found = filesWith(/\bDate\.now\(|new Date\(\)|Math\.random|console\./, below);
    assertEquals(found, ["src/server/issuer/create_context.ts"]);
  });

  it("hides facts in one place only, and gives the reason there", () => {
    const hidden = /Symbol\.for\(|: unique symbol|new Weak(?:Map|Set)\b|new AsyncLocalStorage\b/;
    const onPlatformObject = /Object\.(?:assign|defineProperty)\((?:request|passed)\b/;
    const found = filesWith(new RegExp(`${hidden.source}|${onPlatformObject.source}`));
    assertEquals(found, ["src/server/http/incoming_request.ts"]);
  });

  it("opens the server to the lab and the program by one list of modules, and of names inside it", () => {
    const isListed = ([module, name]: ServerImport) =>
      Object.hasOwn(vocabulary, module) || inside[module]?.names.includes(name);
    const unlisted = importsFromServer().filter((each) => !isListed(each));
    assertEquals(unlisted.map((each) => each.join(" ")), []);
  });

  // A feature that was deleted may have been the only one to import a name.
  const whole = process.env.HALLPASS_TEST_WITHOUT === undefined ? false : "a feature is missing";
  it("lists no name that neither lab nor program imports", { skip: whole }, () => {
    const used = new Set(
      importsFromServer().flatMap(([module, name]) => [module, `${module} ${name}`]),
    );
    const listed = [
      ...Object.keys(vocabulary),
      ...Object.entries(inside).flatMap(([module, { names }]) =>
        names.map((name) => `${module} ${name}`)
      ),
    ];
    assertEquals(listed.filter((each) => !used.has(each)), []);
  });

  it("does not name the lab in the server, apart from the paths that it reserves", () => {
    const found = files.filter((file) => file.startsWith("src/server/")).filter((file) =>
      /\blabs?\b/i.test(sourceOf(file).replaceAll(/"\/lab[/:\w]*"/g, ""))
    );
    assertEquals(found, []);
  });

  it("offers ten hooks at most to what wraps the server, each described by what it is for", () => {
    const source = readFileSync("src/server/issuer/server_hooks.ts", "utf8");
    const declared = [
      ...source.matchAll(/^export interface (?:Server|Request)Hooks \{([^]*?)^\}/gm),
    ];
    assertEquals(declared.length, 2);
    const members = declared.map(([, body = ""]) => body).join("");
    const hooks = members.match(/^ {2}readonly \w+/gm) ?? [];
    assert(hooks.length > 0 && hooks.length <= 10, hooks.join());
    assertEquals(members.match(/\*\/\n {2}readonly \w+/g)?.length, hooks.length);
  });

  it("measures time by one unit of each name: a minute is 60, in all of src", () => {
    const ownUnit = /^(?:export )?const (?:second|minute|hour|day)\b.* = /m;
    assertEquals(filesWith(ownUnit), ["src/server/util/time/duration.ts"]);
  });

  it("has no generator that is a closure: V8 would keep each server until a full collection", () => {
    const inside = /^ +(?:.* )?(?:function\*|async \*\w|\*\w+\()/m;
    assertEquals(filesWith(inside), []);
  });

  it("uses nothing that Node 20.19 lacks in the library", () => {
    const tooNew =
      /URL\.parse\(|Promise\.(?:withResolvers|try)\(|Array\.fromAsync\(|Map\.groupBy\(/;
    assertEquals(filesWith(tooNew, ofLibrary), []);
  });

  it("imports no default while it runs, which CommonJS and ES modules understand differently", () => {
    assertEquals(filesWith(/\bdefault: \w+ \} = await import\(/, ofLibrary), []);
  });

  it("needs nothing of any runtime in its core: it bundles for a browser", () => {
    const { metafile, outputFiles } = bundle({
      entryPoints: ["src/server/mod.ts"],
      platform: "browser",
      write: false,
    });
    const inputs = Object.keys(metafile.inputs);
    const strangers = inputs.filter((input) =>
      /srvx|src\/(runtime|program|lab)\/|src\/server\/store\/sqlite|node:/.test(input)
    );
    assertEquals(strangers, []);
    assert(
      !/\b(Deno|Bun)\.|node:/.test(present(outputFiles?.[0]?.text)),
      "the bundle mentions a runtime",
    );
  });

  it("helps an API on any runtime and before any server: it bundles for a browser, without our server", () => {
    const { metafile, outputFiles } = bundle({
      entryPoints: ["src/resource/protected_resource.ts"],
      platform: "browser",
      write: false,
    });
    const ours = Object.keys(metafile.inputs).filter((input) => input.startsWith("src/"));
    assertEquals(
      ours.filter((input) => !/^src\/(resource|server\/(model|protocol|util|http))\//.test(input)),
      [],
    );
    assert(
      !/\b(Deno|Bun)\.|node:/.test(present(outputFiles?.[0]?.text)),
      "the bundle mentions a runtime",
    );
  });

  it("has a test kit that needs a runtime only to listen: the rest bundles for a browser", () => {
    const { outputFiles } = bundle({
      entryPoints: ["src/lab/testing/mod.ts"],
      platform: "browser",
      external: ["*/runtime/serve.ts"],
      write: false,
    });
    assertEquals(
      /\b(?:Deno|Bun)\.\w|(?:from |import\()"node:/.exec(present(outputFiles?.[0]?.text)),
      null,
    );
  });

  it("loads nothing of the lab in 'hallpass serve', not even when it is needed", () => {
    const loaded = new Set([
      ...loadedBy("src/main.ts", ["import-statement"]),
      ...loadedBy("src/program/commands/serve_command.ts", ["import-statement", "dynamic-import"]),
    ]);
    assert(loaded.has("src/server/server.ts"));
    assertEquals([...loaded].filter((file) => /^src\/(program\/)?lab\//.test(file)), []);
  });

  it("reads pages of others only in a drill: what does that loads with one", () => {
    const readers = ["src/main.ts", "src/lab/testing/mod.ts", "src/playground/worker.ts"]
      .flatMap((entry) => {
        const all = loadedBy(entry, ["import-statement", "dynamic-import"]);
        const inputs = inputsOf(entry);
        const later = [...all].flatMap((file) => inputs[file]?.imports ?? [])
          .filter(({ kind }) => kind === "dynamic-import").map(({ path }) => path);
        return [entry, ...later].filter((file) =>
          [...loadedBy(file, ["import-statement"], inputs)].some((each) =>
            each.includes("/htmlparser2/")
          )
        );
      });
    assertEquals([...new Set(readers)], ["src/lab/features/drill/drill.ts"]);
  });

  it("can start no other program in 'hallpass serve', nor in 'hallpass lab'", () => {
    const starters = files.filter((file) => importsOf(file).includes("node:child_process"));
    assertEquals(starters, ["src/program/processes/child_process.ts"]);
    const later = ["import-statement", "dynamic-import"];
    const loaded = [
      loadedBy("src/main.ts", ["import-statement"]),
      loadedBy("src/program/commands/serve_command.ts", later),
      loadedBy("src/program/commands/lab_command.ts", later),
    ].flatMap((each) => [...each]);
    assert(loaded.includes("src/lab/open_lab.ts"));
    assertEquals(loaded.filter((file) => file.startsWith("src/program/processes/")), []);
  });

  it("has no lab in a server that is none: no hands-free sign-in, no hooks, no queued responses", () => {
    const { metafile, outputFiles } = bundle({ entryPoints: ["src/server/mod.ts"], write: false });
    const inputs = Object.keys(metafile.inputs);
    assertEquals(inputs.filter((input) => /^src\/lab\/|static\/rules\.json/.test(input)), []);
    const text = present(outputFiles?.[0]?.text);
    const powers = ["Hands-free", "handsFree", "X-Lab-Fault", "A test prepared", "chosenFactor"];
    for (const power of powers) {
      assert(!text.includes(power), `the bundle has the code of '${power}'`);
    }
  });
});

/** A module below `src/server/`, and a name that the lab or the program imports from it. */
type ServerImport = [module: string, name: string];

/** Returns what the lab and the program import from the server, beyond what the package exports. */
function importsFromServer(): ServerImport[] {
  const exported = new Set(namesFrom("src/server/mod.ts").map((each) => each.join(" ")));
  return files.filter((file) => /^src\/(?:lab\/|program\/|main\.ts)/.test(file)).flatMap(namesFrom)
    .filter((each) => !exported.has(each.join(" ")));
}

/** The names that a file imports from the server or exports from there, at its start or later. */
function namesFrom(file: string): ServerImport[] {
  const source = sourceOf(file);
  const found = [
    ...source.matchAll(/(?:import|export)\s(?:type\s)?\{([^}]*)\}\s*from\s+"(\.[^"]+)"/g),
    ...source.matchAll(/const \{([^}]*)\} = await import\(\s*"(\.[^"]+)",?\s*\)/g),
    // Of a whole module that is loaded later, any name may be used.
    ...source.matchAll(/(?<!\} = await )(\*)?import\(\s*"(\.[^"]+)"/g),
  ];
  return found.flatMap(([, names = "*", from = ""]): ServerImport[] => {
    const module = normalize(join(dirname(file), from));
    if (!module.startsWith("src/server/")) return [];
    if (featureOf(file) !== undefined && featureOf(file) === featureOf(module)) return [];
    const each = names.split(",").map((name) => name.trim().replace(/^type /, ""));
    return each.filter(Boolean).map((name) => [
      module.slice("src/server/".length),
      name.split(/ as |:/)[0] ?? name,
    ]);
  });
}

/** The modules that an entry can load, with what each of them imports. */
const inputsOf = memoize(
  (entry) =>
    bundle({ entryPoints: [entry], external: [...optionalPackages], write: false }).metafile.inputs,
  maxFiles,
);

/** The modules that an entry loads, by imports of these kinds. */
function loadedBy(
  entry: string,
  kinds: readonly string[],
  inputs = inputsOf(entry),
): Set<string> {
  const loaded = new Set([entry]);
  for (const file of loaded) {
    const imports = inputs[file]?.imports ?? [];
    for (const { path, kind } of imports) if (kinds.includes(kind)) loaded.add(path);
  }
  return loaded;
}

/** The folders beside a folder, from which its files import. */
function foldersBeside(root: string, folder: string): string[] {
  const own = files.filter((file) => folderPlace(file).startsWith(`${root}/${folder}/`));
  const beside = own.flatMap((file) => neighboursOf(file)).map(folderPlace)
    .filter((file) => file.startsWith(`${root}/`))
    .map((file) => file.slice(root.length + 1).split("/"))
    .flatMap(([name = "", ...below]) => below.length > 0 ? [name] : []);
  return [...new Set(beside)].filter((name) => name !== folder);
}

/**
 * Ways that lead from a place back to itself, types included: who reads one file of a circle must
 * read them all.
 */
function circles(places: readonly string[], next: (place: string) => string[]): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (place: string, way: string[]): void => {
    if (way.includes(place)) {
      found.push([...way.slice(way.indexOf(place)), place].join(" -> "));
      return;
    }
    if (done.has(place)) return;
    for (const each of next(place)) walk(each, [...way, place]);
    done.add(place);
  };
  for (const place of places) walk(place, []);
  return found;
}
