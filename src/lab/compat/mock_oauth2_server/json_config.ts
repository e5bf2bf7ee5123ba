import type { JWK } from "jose";
import { collectProblems } from "../../../server/config/problems.ts";
import { checkValue, type ObjectSchema, type Schema } from "../../../server/config/schema.ts";
import { isObject, parseJson } from "../../../server/util/text/json.ts";
import { LabError } from "../../util/lab_error.ts";
import { patternProblem } from "./match_pattern.ts";

/** What tokens get if a parameter of their request matches. */
export interface RequestMapping {
  /** The parameter; `subject` is the name from the sign-in page, too. */
  requestParam: string;
  /**
   * The value, `*` for any, or a regular expression for the whole value, which then has at most
   * 256 characters. It has no repetition within a repetition, and repeats no alternatives that may
   * begin alike.
   */
  match: string;
  /** The claims. `${parameter}` stands for a parameter of the request. */
  claims?: Record<string, unknown> | undefined;
  /** The `typ` of the header. */
  typeHeader?: string | undefined;
}

/** What the tokens of an issuer get. The first mapping that matches is used. */
export interface RequestMappingCallback {
  /** The issuer, by its name in the path. */
  issuerId: string;
  /** The mappings. */
  requestMappings: RequestMapping[];
  /** The lifetime in seconds; 3600 by default. */
  tokenExpiry?: number | undefined;
}

/** The settings of mock-oauth2-server, as `JSON_CONFIG` holds them. */
export interface MockOAuth2Config {
  /** Whether a page asks for the name of the user. */
  interactiveLogin?: boolean | undefined;
  /** The file of another sign-in page. */
  loginPagePath?: string | undefined;
  /** The folder of the files below `/static`. */
  staticAssetsPath?: string | undefined;
  /** Whether a refresh token is replaced at each use. */
  rotateRefreshToken?: boolean | undefined;
  /** The listener: its name, which has no effect, or its TLS. */
  httpServer?: string | { type?: string; ssl?: Record<string, unknown> } | undefined;
  /** What the tokens of issuers get. */
  tokenCallbacks?: RequestMappingCallback[] | undefined;
  /** The keys and the time of tokens. */
  tokenProvider?: TokenProviderConfig | undefined;
}

/** The keys and the time of tokens. */
export interface TokenProviderConfig {
  /** The keys. */
  keyProvider?: { initialKeys?: string; algorithm?: string } | undefined;
  /** The time of all tokens: `2020-01-21T00:00:00Z`. */
  systemTime?: string | undefined;
}

const text: Schema = { type: "string" };

function objectOf(members: ObjectSchema["members"], required: string[] = []): ObjectSchema {
  return { type: "object", members, required };
}

const mappingSchema = objectOf({
  requestParam: text,
  match: text,
  claims: { type: "map", values: { type: "unknown" } },
  typeHeader: text,
}, ["requestParam", "match"]);

const callbackSchema = objectOf({
  issuerId: text,
  requestMappings: { type: "array", items: mappingSchema },
  tokenExpiry: { type: "integer", minimum: 1 },
}, ["issuerId", "requestMappings"]);

const configSchema = objectOf({
  interactiveLogin: { type: "boolean" },
  loginPagePath: text,
  staticAssetsPath: text,
  rotateRefreshToken: { type: "boolean" },
  httpServer: {
    type: "anyOf",
    options: [
      { type: "enum", values: ["MockWebServerWrapper", "NettyWrapper"] },
      objectOf({
        type: { type: "enum", values: ["MockWebServerWrapper", "NettyWrapper"] },
        ssl: objectOf({
          keyPassword: text,
          keystoreFile: text,
          keystoreType: text,
          keystorePassword: text,
        }),
      }),
    ],
  },
  tokenCallbacks: { type: "array", items: callbackSchema },
  tokenProvider: objectOf({
    keyProvider: objectOf({ initialKeys: text, algorithm: text }),
    systemTime: text,
  }),
});

/** The algorithms that a lab signs with, of those of mock-oauth2-server. */
const algorithms: readonly string[] = ["RS256", "PS256", "ES256"];

/**
 * Reads the settings of mock-oauth2-server.
 *
 * @throws {LabError} The text is not a JSON object.
 * @throws {ConfigError} A setting is unknown or invalid; the error lists every problem.
 */
export function readMockConfig(json: string): MockOAuth2Config {
  const config = parseJson(json);
  if (!isObject(config)) throw new LabError("JSON_CONFIG is not a JSON object.");
  checkMockConfig(config);
  return config;
}

/** Checks the settings of mock-oauth2-server. */
export function checkMockConfig(
  config: Record<string, unknown> | MockOAuth2Config,
): asserts config is MockOAuth2Config {
  const { report, throwAny } = collectProblems();
  checkValue(configSchema, config, "", report);
  const { httpServer, tokenProvider } = config as MockOAuth2Config;
  if (isObject(httpServer) && isObject(httpServer.ssl) && "keystoreFile" in httpServer.ssl) {
    report("httpServer.ssl.keystoreFile", "is not read: use --cert and --key with PEM files");
  }
  const { keyProvider: { algorithm = "RS256" } = {}, systemTime } = tokenProvider ?? {};
  if (!algorithms.includes(algorithm)) {
    report("tokenProvider.keyProvider.algorithm", `must be one of ${algorithms.join(", ")}`);
  }
  if (systemTime !== undefined && Number.isNaN(Date.parse(systemTime))) {
    report("tokenProvider.systemTime", "must be an instant, such as 2020-01-21T00:00:00Z");
  }
  const task = "play mock-oauth2-server";
  throwAny(task);
  for (const [path, pattern] of patternsIn(config as MockOAuth2Config)) {
    const problem = patternProblem(pattern);
    if (problem !== undefined) report(path, problem);
  }
  throwAny(task);
}

/** Lists the expressions that values of clients are compared with. */
function patternsIn(
  { tokenCallbacks = [] }: MockOAuth2Config,
): Array<[path: string, pattern: string]> {
  return tokenCallbacks.flatMap(({ requestMappings }, at) =>
    requestMappings.map(({ match }, index): [string, string] => [
      `tokenCallbacks[${at}].requestMappings[${index}].match`,
      match,
    ])
  );
}

/** Returns the key that the settings bring, if they do. */
export function initialKeyOf({ tokenProvider }: MockOAuth2Config): JWK | undefined {
  const given = tokenProvider?.keyProvider?.initialKeys;
  const key = given === undefined ? undefined : parseJson(given);
  if (given !== undefined && !isObject(key)) {
    throw new LabError("tokenProvider.keyProvider.initialKeys is not a JSON Web Key.");
  }
  return key as JWK | undefined;
}
