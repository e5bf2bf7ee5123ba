/** Writes the reference of the lab over HTTP, and of the endpoints of its server. */
import type { OperationDescription } from "../../src/lab/core/operation.ts";
import { openLab } from "../../src/lab/open_lab.ts";
import { frontPages } from "../../src/lab/routes/front_pages.tsx";
import { operations } from "../../src/lab/routes/operation_table.ts";
import type { Route } from "../../src/server/endpoints/route.ts";
import { featureParts } from "../../src/server/feature_parts.ts";
import { features } from "../../src/server/features.ts";
import { routesOf } from "../../src/server/server.ts";
import type { Setting, SettingTypes } from "../schema/read_settings.ts";
import { code, table, withChapter } from "./markdown.ts";

const ofLab = `\`deno task generate\` writes this chapter.

### The lab

Paths are below \`/lab\`. Bodies are JSON; **bold** members are required. \`GET /lab/openapi.json\` and the page \`/lab/api\` describe every member. *filter*, FILTER, limits the operation to some requests.`;

const ofServer = `### The server

Paths are below the issuer. The setting \`paths\` moves the first ones: \`"paths": { "token": "/oauth/token" }\`. Clients find those in the last column in the metadata.`;

/** What is at paths that no setting moves, with the paths below them. */
const fixedPaths: Readonly<Record<string, string>> = {
  "/.well-known/openid-configuration":
    "The metadata (OpenID Connect Discovery), before or after the path of the issuer.",
  "/.well-known/oauth-authorization-server":
    "The same metadata (RFC 8414), before or after the path of the issuer.",
  "/": "The home page.",
  "/health": "Responds while the process lives, without reading anything.",
  "/account": "Users see and end their sessions, withdraw access, and change their passwords.",
  "/invite": "A new user chooses a password (`hallpass user invite`).",
  "/reset": "A user replaces a forgotten password (`hallpass user reset`).",
  "/sign-out": "Signs out the user of the home page.",
  "/authorized":
    "The test page at a redirect URI; in `serve`, only if a client is configured with it.",
  "/start": "In a lab: starts an authorization of a client, `?client_id=demo-spa`.",
  "/callback": "In a lab: shows the authorization response of an older client.",
  "/static": "Files of the pages.",
  "/favicon.ico": "The icon of the pages.",
  "/lab": "In a lab: its pages, and the operations above.",
};

/** Bodies with many settings, which the reference of the configuration describes. */
const settingSections: Readonly<Record<string, string>> = {
  ClientConfig: "[settings of a client](CONFIGURATION.md#clients)",
  UserConfig: "[settings of a user](CONFIGURATION.md#users)",
  LabSettings: "[settings of a lab](CONFIGURATION.md#the-lab)",
  TenantSettings: "`id`, `issuer`, `reuse`, and settings of a lab",
};

/** Replaces the generated chapter of the document. */
export async function withEndpoints(page: string, types: SettingTypes): Promise<string> {
  const labTable = table(
    ["Request", "What it does", "Body and query", "Returns"],
    operations.map((operation) => operationCells(operation, types)),
  );
  const serverTable = table(
    ["Path", "Methods", "What is there", "Metadata"],
    await pathRows(types),
  );
  const filter = membersOf(types, "FlowScope").map(({ name }) => code(name)).join(", ");
  const text = [ofLab.replace("FILTER", filter), labTable, ofServer, serverTable].join("\n\n");
  return withChapter(page, "## Every endpoint", text);
}

function operationCells(operation: OperationDescription, types: SettingTypes): string[] {
  const { method, path, summary, query = {}, returns = [] } = operation;
  const parameters = Object.keys(query).map((name) => code(`?${name}`));
  const taken = [bodyOf(operation, types), ...parameters].filter((text) => text !== "");
  return [
    code(`${method} ${path}`),
    summary,
    taken.join(", "),
    [returns].flat().map(code).join(", "),
  ];
}

/** Names the members of a body; those that are required are bold. */
function bodyOf({ body }: OperationDescription, types: SettingTypes): string {
  if (!body) return "";
  const inConfiguration = settingSections[body.name];
  if (inConfiguration !== undefined) return inConfiguration;
  const filter = membersOf(types, "FlowScope").map(({ name }) => name);
  const members = membersOf(types, body.name).filter(({ name }) => name !== body.inPath);
  const hasFilter = filter.every((name) => members.some((member) => member.name === name));
  const listed = members.filter(({ name }) => !hasFilter || !filter.includes(name))
    .toSorted((a, b) => Number(b.required) - Number(a.required))
    .map(({ name, required }) => required ? `**${code(name)}**` : code(name));
  return [...listed, ...hasFilter ? ["*filter*"] : []].join(", ");
}

function membersOf(types: SettingTypes, name: string): readonly Setting[] {
  const type = types.get(name)?.type;
  if (type?.type !== "object") throw new Error(`No interface ${name} was read.`);
  return type.members;
}

/** Returns a row for each path with a description, with the methods of all paths below it. */
async function pathRows(types: SettingTypes): Promise<string[][]> {
  const described = new Map([
    ...membersOf(types, "PathsConfig").map(({ default: path = "", description }) =>
      [JSON.parse(path), description] as const
    ),
    ...Object.entries(fixedPaths),
  ]);
  const routes = await allRoutes();
  const placed = routes.map((route) => ({ route, place: placeOf(route.path, described) }));
  return [...described].flatMap(([path, description]) => {
    const here = placed.filter(({ place }) => place === path).map(({ route }) => route);
    if (here.length === 0) return []; // Its feature was deleted.
    const methods = [...new Set(here.map(({ method }) => method))];
    const field = here.find(({ metadata }) => metadata !== undefined)?.metadata;
    return [[code(path), methods.join(", "), description, field ? code(field) : ""]];
  });
}

async function allRoutes(): Promise<Array<Pick<Route, "method" | "path" | "metadata">>> {
  await using lab = openLab({ issuer: "http://localhost:9000" });
  return [...routesOf(lab.context.settings, featureParts(features)), ...frontPages];
}

/** Finds the described path that a path is at or below; the longest one counts. */
function placeOf(path: string, described: ReadonlyMap<string, string>): string {
  const places = [...described.keys()].filter((each) =>
    path === each || path.startsWith(`${each}/`)
  );
  const place = places.toSorted((a, b) => b.length - a.length)[0];
  if (place === undefined) throw new Error(`Describe ${path} in scripts/references/write_http.ts.`);
  return place;
}
