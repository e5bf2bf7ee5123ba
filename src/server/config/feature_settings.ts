import type { ObjectSchema } from "./schema.ts";

/** Members that a feature adds to a group of settings, as a server has them. */
export interface FeatureSettings<Resolved extends object = object> {
  readonly schema: ObjectSchema;
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Returns the members of this part, from a group whose defaults are filled in. */
  of(group: object): Resolved;
}

/** Members of a group, with a function that returns them in the form in which they are kept. */
interface KeptSettings<Given> extends FeatureSettings {
  readonly keep?: (given: Given) => object;
}

/** Returns the settings that features keep in another form. No feature changes those of another. */
export function keptOf<Given>(parts: ReadonlyArray<KeptSettings<Given>>, given: Given): object {
  return Object.assign(
    {},
    ...parts.map(({ schema, keep }) => {
      const kept = keep?.(given) ?? {};
      const foreign = Object.keys(kept).find((name) => !Object.hasOwn(schema.members, name));
      if (foreign === undefined) return kept;
      throw new Error(`A feature keeps '${foreign}', which is not one of its settings.`);
    }),
  );
}
