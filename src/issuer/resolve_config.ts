import { basePath, issuerProblem } from "../protocol/issuer_url.ts";
import { ourPages } from "../pages/pages.ts";
import { clientProblems, toClient } from "./client_config.ts";
import type { Config, Lifetimes } from "./config.ts";
import { configShape } from "./config_shape.ts";
import { day, hour, minute, parseDuration } from "./duration.ts";
import { makeKey } from "./key_maker.ts";
import { pbkdf2Passwords } from "./passwords.ts";
import type { Authenticate } from "./policies.ts";
import type { Settings } from "./settings.ts";
import type { Report } from "./shape.ts";
import { toUser } from "./user_config.ts";

/** The scopes of OpenID Connect, in the words of the consent page. */
export const openIdScopes: Record<string, string> = {
  openid: "Know who you are",
  profile: "See your name, picture and other parts of your profile",
  email: "See your e-mail address",
  address: "See your postal address",
  phone: "See your telephone number",
  offline_access: "Keep this access while you are away, until you take it back",
};

const defaultLifetimes: Lifetimes = {
  code: 5 * minute,
  accessToken: 1 * hour,
  idToken: 1 * hour,
  refreshToken: 30 * day,
  refreshIdle: 30 * day,
  session: 1 * day,
  interaction: 1 * hour,
};

/** All that is wrong with a configuration, at once. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    super(`Cannot start the server: ${count} in its configuration\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

/** Fills in the defaults, or says everything that stands in the way. */
export function resolveConfig(config: Config, grantTypes: readonly string[]): Settings {
  const problems: string[] = [];
  const report: Report = (path, problem) => problems.push(path ? `${path} ${problem}` : problem);
  configShape(config, "", report);
  if (problems.length > 0) throw new ConfigError(problems);

  const settings = fillIn(config);
  const issuer = issuerProblem(config.issuer, config.insecure?.httpIssuer ?? false);
  if (issuer) report("issuer", issuer);
  reportTwins("clients", config.clients?.map((client) => client.id) ?? [], report);
  reportTwins("users", config.users?.map((user) => user.name) ?? [], report);
  config.clients?.forEach((client, at) =>
    clientProblems(client, settings, grantTypes, (path, problem) => report(`clients[${at}].${path}`, problem))
  );
  reportConfusable(config, report);
  if (problems.length > 0) throw new ConfigError(problems);
  return settings;
}

function fillIn(config: Config): Settings {
  const scopes = config.scopes ?? openIdScopes;
  const alg = config.alg ?? "RS256";
  const passwords = config.policies?.passwords ?? pbkdf2Passwords;
  return {
    issuer: config.issuer,
    base: URL.canParse(config.issuer) ? basePath(config.issuer) : "",
    secure: config.issuer.startsWith("https:"),
    scopes,
    resources: config.resources === "any"
      ? "any"
      : { only: [config.issuer, ...config.resources ?? [], ...config.defaultResource ? [config.defaultResource] : []] },
    defaultResource: config.defaultResource ?? config.issuer,
    alg,
    idTokenAlgs: [...new Set([alg, ...config.clients?.flatMap((client) => client.idTokenAlg ?? []) ?? [], "RS256" as const])],
    lifetimes: fillLifetimes(config.lifetimes ?? {}),
    refreshReuseGrace: parseDuration(config.refreshReuseGrace ?? 0) ?? 0,
    guessesPerMinute: config.guessesPerMinute ?? 60,
    notice: config.notice,
    secret: config.secret,
    policies: { authenticate: byPassword, makeKey, passwords, ...config.policies },
    pages: { ...ourPages, ...config.pages },
    clients: new Map(config.clients?.map((client) => [client.id, once(() => toClient(client, Object.keys(scopes)))])),
    users: new Map(config.users?.map((user) => [user.name, once(() => toUser(user, passwords))])),
  };
}

function fillLifetimes(given: NonNullable<Config["lifetimes"]>): Lifetimes {
  const seconds = Object.entries(given).map(([name, value]) => [name, Math.ceil(parseDuration(value) ?? 0)]);
  const lifetimes: Lifetimes = { ...defaultLifetimes, ...Object.fromEntries(seconds) };
  return { ...lifetimes, refreshIdle: Math.min(lifetimes.refreshIdle, lifetimes.refreshToken) };
}

/** In a token, a client that acts for itself and a person are both a `sub` (RFC 9700, section 4.15). */
function reportConfusable({ clients, users }: Config, report: Report): void {
  const subjects = users?.map(({ name, sub }) => sub ?? name) ?? [];
  for (const { id } of clients ?? []) if (subjects.includes(id)) report("clients", `holds '${id}', which is also the 'sub' of a user`);
}

function reportTwins(path: string, names: readonly string[], report: Report): void {
  const twins = names.filter((name, at) => names.indexOf(name) !== at);
  for (const name of new Set(twins)) report(path, `holds '${name}' more than once`);
}

const byPassword: Authenticate = (form, known) => known.checkPassword(form);

/** Runs at the first call and gives the same result to every other. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => made ??= make();
}
