import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { isObject, parseJson } from "../../../server/util/text/json.ts";
import { UsageError } from "../../terminal/exit_code.ts";
import { connectableLibraries } from "../connect/libraries.ts";
import { type Starter, starters } from "./starters.ts";

export interface Project {
  folder: string;
  starter: Starter;
  /** The library that signs its users in, if it is a known one. */
  library: ProjectLibrary | undefined;
  client: { id: string; redirectUri: string; secret?: string };
  /** The files at its top. */
  files: readonly string[];
}

/** A library, and the lines that connect it. */
interface ProjectLibrary {
  library: string;
  file: string;
  text: string;
  redirectUri?: string;
}

export const configFile = "hallpass.json";

/** The libraries that a lab knows the lines of. */
const libraries: readonly ProjectLibrary[] = [
  ...connectableLibraries,
];

/** How a project names a library, where not as the lab does. */
const packages: ReadonlyArray<readonly [named: RegExp, library: string]> = [
  [/"(?:next-auth|@auth\/\w+)"/, "Auth.js"],
  [/"openid-client"/, "openid-client"],
  [/"passport"/, "Passport"],
  [/"@azure\/msal-\w+"/, "MSAL"],
  [/"oidc-client-ts"|"react-oidc-context"/, "oidc-client-ts"],
  [/"@supabase\/supabase-js"/, "Supabase"],
  [/mozilla-django-oidc/i, "Django"],
  [/oauth2-client/, "Spring Boot"],
];

/** What a terminal shows as it is, and every language of a first test can hold. */
const printableAscii = /^[\x20-\x7e]+$/;

/** Finds out how the project in a folder runs its tests, and signs its users in. */
export async function findProject(folder: string): Promise<Project> {
  const files = await readdir(folder).catch(() => {
    throw new UsageError(`There is no folder '${folder}'.`);
  });
  for (const starter of starters) {
    const manifest = files.find((file) =>
      file === starter.manifest || `*${extname(file)}` === starter.manifest
    );
    if (manifest === undefined) continue;
    const text = await readText(join(folder, manifest));
    if (!text?.includes(starter.shownBy)) continue;
    const name = packages.find(([named]) => named.test(text))?.[1];
    const library = libraries.find((each) => each.library === name);
    const client = await configuredClient(folder) ??
      { id: "app", redirectUri: library?.redirectUri ?? "http://localhost:3000/callback" };
    return { folder, starter, library, client, files };
  }
  throw new UsageError(
    `There is no project in '${folder}': none of ${
      [...new Set(starters.map(({ manifest }) => manifest))].join(", ")
    } is there. Name its folder: hallpass init FOLDER`,
  );
}

/** Reads a file. A pipe of this name would never end. */
async function readText(path: string): Promise<string | undefined> {
  const isFile = await stat(path).then((found) => found.isFile(), () => false);
  return isFile ? await readFile(path, "utf8") : undefined;
}

/** Returns the client of a configuration that is there already. */
async function configuredClient(folder: string): Promise<Project["client"] | undefined> {
  const config = parseJson(await readText(join(folder, configFile)) ?? "");
  const clients = isObject(config) && Array.isArray(config.clients) ? config.clients : [];
  const [found] = clients.filter((client) => Array.isArray(client?.redirectUris));
  const redirectUri = found?.redirectUris[0];
  if (typeof redirectUri !== "string") return undefined;
  const { secret } = found;
  const client = { id: String(found.id), redirectUri, ...typeof secret === "string" && { secret } };
  if (Object.values(client).every((text) => printableAscii.test(text))) return client;
  throw new UsageError(
    `The id and the first redirect URI of a client in ${configFile} must be printable ASCII: the ` +
      "first test has them.",
  );
}
