import { isClientSetting } from "../model/client.ts";
import type { ReportProblem } from "./problems.ts";
import type { ObjectSchema, Schema } from "./schema.ts";
import type { AddedClientSettings, FeatureSettings, Settings } from "./settings.ts";

/** Members that a feature adds to the settings of the server itself: `Own`. */
export interface AddedServerSettings<Own extends object = object> extends FeatureSettings<Own> {
  /** Reports contradictions between them, and with the settings of the core. */
  check?(own: Own, settings: Settings, report: ReportProblem): void;
  /** Returns the settings that follow: those of the core for which it is, its own in another form. */
  sets?(own: Own): Partial<Settings>;
}

/** What one feature adds to the configuration: members of these groups, each with its default. */
export interface FeatureConfig {
  readonly server?: AddedServerSettings;
  readonly clients?: AddedClientSettings;
  readonly lifetimes?: FeatureSettings;
  readonly pages?: FeatureSettings;
  readonly paths?: FeatureSettings;
}

/**
 * Creates settings from the data that was generated from their interface. Functions cannot be
 * generated, so they are passed as `code`.
 */
export function settingsPart<Resolved extends object>(
  { defaults, ...schema }: {
    type: string;
    members: object;
    defaults?: Readonly<Record<string, unknown>>;
  },
  code: object = {},
): FeatureSettings<Resolved> {
  const filled = { ...defaults, ...code };
  const names = Object.keys(filled);
  return {
    schema: schema as ObjectSchema,
    defaults: filled,
    of(group) {
      const missing = names.find((name) => !Object.hasOwn(group, name));
      if (missing !== undefined) throw new Error(`These settings have no '${missing}'.`);
      // The schema checked the values.
      return group as Resolved;
    },
  };
}

/** Adds the members of features to the groups of a schema. */
export function withFeatures(
  schema: ObjectSchema,
  configs: readonly FeatureConfig[],
): ObjectSchema {
  return configs.flatMap((config) => Object.entries(config)).reduce(addToGroup, schema);
}

/** Adds the members of features to the schema of a client. */
export function withClientSettings(
  schema: ObjectSchema,
  added: readonly AddedClientSettings[],
): ObjectSchema {
  return added.reduce((whole, part) => joined(whole, part, "clients"), schema);
}

function addToGroup(
  schema: ObjectSchema,
  [name, part]: [name: string, FeatureSettings],
): ObjectSchema {
  if (name === "server") return joined(schema, part, name);
  const { [name]: group } = schema.members;
  return { ...schema, members: { ...schema.members, [name]: withMembers(group, part, name) } };
}

/** Adds members to a group of settings, or to each entry of a list. */
function withMembers(group: Schema | undefined, part: FeatureSettings, name: string): Schema {
  if (group?.type === "array") return { ...group, items: withMembers(group.items, part, name) };
  if (group?.type !== "object") throw new Error(`The configuration has no group '${name}'.`);
  return joined(group, part, name);
}

function joined(group: ObjectSchema, { schema }: FeatureSettings, name: string): ObjectSchema {
  const taken = Object.keys(schema.members).find((each) =>
    Object.hasOwn(group.members, each) || (name === "clients" && !isClientSetting(each))
  );
  if (taken) throw new Error(`The setting '${name}.${taken}' is defined twice.`);
  return { ...group, members: { ...group.members, ...schema.members } };
}

/** Returns the defaults that features add to a group. */
export function addedDefaults(
  configs: readonly FeatureConfig[],
  group: keyof FeatureConfig,
): Record<string, unknown> {
  return Object.assign({}, ...configs.map(({ [group]: part }) => part?.defaults));
}

/**
 * Returns what the parts of features set. None of them sets what belongs to another, or to the core,
 * which keeps `forFeatures` for them.
 */
export function setByParts<Part extends FeatureSettings>(
  parts: readonly Part[],
  setBy: (part: Part) => object | undefined,
  forFeatures: readonly string[] = [],
): object {
  return Object.assign(
    {},
    ...parts.map((part) => {
      const set = setBy(part) ?? {};
      const foreign = Object.keys(set).find((name) =>
        !Object.hasOwn(part.schema.members, name) && !forFeatures.includes(name)
      );
      if (foreign === undefined) return set;
      throw new Error(`A feature keeps '${foreign}', which is not one of its settings.`);
    }),
  );
}
