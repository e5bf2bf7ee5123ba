import { readFile } from "node:fs/promises";
import type { MockOAuth2Config } from "../../lab/compat/mock_oauth2_server/json_config.ts";
import type { MockFiles } from "../../lab/compat/mock_oauth2_server/play_mock_oauth2_server.ts";
import { isObject } from "../../server/util/text/json.ts";
import { type Invocation, valueOf } from "../command_line/command.ts";
import { type LabFileConfig, readTextFile } from "../configuration/program_config.ts";
import type { Environment } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { readStaticAssets } from "./static_assets.ts";

/** Where the peer looks for its settings if the environment names nothing. */
const defaultFile = "config.json";

/** The port of the peer, unless something names another one. */
const defaultPort = "8080";

/** The mock server that a lab plays. */
export interface CompatPlan {
  config: MockOAuth2Config;
  files: MockFiles;
  /** The command line, with what the environment of the peer adds. */
  invocation: Invocation;
}

/** Reads the settings of the mock server that `--compat` names, as its own program does. */
export async function planCompat(
  invocation: Invocation,
  environment: Environment,
): Promise<CompatPlan | undefined> {
  if (!invocation.values.has("compat")) return undefined;
  if (invocation.values.has("provider")) {
    throw new UsageError("--compat and --provider cannot be combined: each decides the paths.");
  }
  const { readMockConfig } = await import("../../lab/compat/mock_oauth2_server/json_config.ts");
  const json = await readSettings(environment);
  const config = json === undefined ? { interactiveLogin: true } : readMockConfig(json);
  const { loginPagePath, staticAssetsPath } = config;
  return {
    config,
    files: {
      ...loginPagePath !== undefined && { loginPage: await readTextFile(loginPagePath) },
      ...staticAssetsPath !== undefined && { assets: await readStaticAssets(staticAssetsPath) },
    },
    invocation: withVariables(invocation, environment, config),
  };
}

/** Checks that the configuration does not set paths, which the play decides. */
export function checkPlayable({ provider, providers, dialect }: LabFileConfig): void {
  const settings = { provider, providers, dialect };
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined) continue;
    throw new UsageError(
      `--compat and the setting '${name}' cannot be combined: each decides paths.`,
    );
  }
}

async function readSettings(
  { JSON_CONFIG: json, JSON_CONFIG_PATH: path }: Environment,
): Promise<string | undefined> {
  if (json) return json;
  if (path) return await readTextFile(path);
  return await readFile(defaultFile, "utf8").catch(ignoreMissing);
}

function ignoreMissing(cause: { code?: string }): undefined {
  if (cause.code === "ENOENT") return undefined;
  throw cause;
}

/** An option, or a variable of Hallpass, takes precedence over a variable of the peer. */
function withVariables(
  invocation: Invocation,
  { SERVER_PORT: serverPort, SERVER_HOSTNAME: host, PORT: port }: Environment,
  { httpServer }: MockOAuth2Config,
): Invocation {
  const values = new Map(invocation.values);
  const given = valueOf(invocation, "port");
  if (given === undefined || (serverPort && given === port)) {
    values.set("port", [checkPort(serverPort || port || defaultPort)]);
  }
  if (host && !values.has("host")) values.set("host", [host]);
  const wantsTls = isObject(httpServer) && httpServer.ssl !== undefined;
  if (wantsTls && !["tls", "cert", "key"].some((name) => values.has(name))) {
    values.set("tls", ["yes"]);
  }
  return { ...invocation, values };
}

function checkPort(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return text;
  throw new UsageError("SERVER_PORT must be a port between 0 and 65535.");
}
