import { checkValue, type ObjectSchema, type Schema } from "../../server/config/schema.ts";
import { configSchema } from "../../server/features.ts";
import { isObject } from "../../server/util/text/json.ts";
import { LabError } from "../util/lab_error.ts";
import { labFileSchema } from "../util/lab_schema.ts";
import { wholeLabSettings } from "./whole_lab_settings.ts";

const reachReason = "what a lab may reach is set at its start";
const accessReason = "who may reach a lab is set at its start";
const codeReason = "it is code, which is given in TypeScript at the start";

/** The settings that the interface over HTTP refuses, each with its reason. */
export const refusedSettings: Readonly<Record<string, string>> = {
  issuer: accessReason,
  frontChannelUrl: accessReason,
  backChannelUrl: accessReason,
  labToken: accessReason,
  controlApart: accessReason,
  pagesUrl: accessReason,
  listen: accessReason,
  host: accessReason,
  port: accessReason,
  expose: accessReason,
  tls: accessReason,
  cert: accessReason,
  key: accessReason,
  drillOrigins: reachReason,
  store: codeReason,
  policies: codeReason,
  pages: codeReason,
  fetch: codeReason,
  fetchUntrusted: codeReason,
  now: codeReason,
  randomBytes: codeReason,
  onEvent: codeReason,
  onLabEvent: codeReason,
};

const text: Schema = { type: "string" };
const texts: Schema = { type: "array", items: text };

const members: Readonly<Record<string, Schema>> = {
  ...configSchema.members,
  ...labFileSchema.members,
  redirectUris: texts,
  scopes: { type: "anyOf", options: [texts, configSchema.members.scopes ?? texts] },
};

/** The settings of a lab that JSON can hold, and that may change after its start. */
const settingsSchema: ObjectSchema = {
  type: "object",
  required: [],
  members: Object.fromEntries(
    Object.entries(members).filter(([name]) => !Object.hasOwn(refusedSettings, name)),
  ),
};

/** The names of these settings. */
export const changeableSettings: readonly string[] = Object.keys(settingsSchema.members);

/** The settings that a running lab refuses, each with its reason. A tenant may have them. */
export const startSettings: Readonly<Record<string, string>> = {
  seed: "it decides every random value from the start on",
  anyGrant: "it is set at the start, or for a tenant, which then remembers what it issued",
  anyScope: "it is set at the start, or for a tenant",
  responseTypes: "it is set at the start, or for a tenant",
  clientDefaults: "it is set at the start, or for a tenant",
  dialect: "it is set at the start, or for a tenant",
  provider: "it is set at the start, or for a tenant",
  providers: "open a tenant with lab.tenant, or POST /lab/tenants",
  accounts: "it is set at the start",
  hosts: "it is set at the start, or for a tenant",
  ...wholeLabSettings,
  responseChanges: "add changes with lab.changeResponse, or POST /lab/changes",
  signIn: "use lab.signIn, or POST /lab/sign-in",
};

/** Checks changes of the settings of a lab that runs: `null` removes one. The lab checks values. */
export function checkAdjustable(changes: Readonly<Record<string, unknown>>): void {
  const reasons = { ...refusedSettings, ...startSettings };
  for (const name of Object.keys(changes)) {
    checkNotRefused(name, Object.hasOwn(reasons, name) ? reasons[name] : undefined);
  }
  checkChangeable(
    Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null)),
  );
}

/** Checks settings that come over HTTP. `others` are members of the body beside them. */
export function checkChangeable(
  settings: Readonly<Record<string, unknown>>,
  others: ObjectSchema["members"] = {},
): void {
  const { insecure } = settings;
  for (const name of Object.keys(settings)) {
    const reason = Object.hasOwn(refusedSettings, name) ? refusedSettings[name] : undefined;
    checkNotRefused(name, reason, others);
  }
  if (isObject(insecure) && "privateFetches" in insecure) {
    checkNotRefused("insecure.privateFetches", reachReason);
  }
  checkBody({ ...settingsSchema, members: { ...settingsSchema.members, ...others } }, settings);
}

/** Checks a body by its schema. */
export function checkBody(schema: ObjectSchema, body: Readonly<Record<string, unknown>>): void {
  const problems: string[] = [];
  checkValue(schema, body, "", (path, problem) => void problems.push(`'${path}' ${problem}`));
  if (problems.length > 0) throw new LabError(`${problems.join("; ")}.`);
}

function checkNotRefused(
  name: string,
  reason: string | undefined,
  others: ObjectSchema["members"] = {},
): void {
  if (reason === undefined || Object.hasOwn(others, name)) return;
  throw new LabError(`'${name}' cannot be set here: ${reason}.`);
}
