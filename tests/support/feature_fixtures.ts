import type { TextLoaders } from "../../src/server/pages/languages/texts.ts";

/** What the tests of the whole server need of one feature. */
export interface FeatureFixtures {
  name: string;
  /** The texts of its pages, in every language. */
  texts?: TextLoaders<object>;
}
