/** What loads the words of a fixed set, each when it is completed. */
type LoadWords = () => Promise<readonly string[]>;

const loadProviders: LoadWords = async () =>
  (await import("../../lab/lab_server/provider_names.ts")).providerNames;

const loadFaults: LoadWords =
  async () => [...(await import("../../lab/faults/catalogue.ts")).catalogue.keys()];

const loadRules: LoadWords = async () => {
  const { ruleCatalogue } = await import("../../server/protocol/catalogued_rules.ts");
  const { rules: findings } = await import("../../lab/report/report.ts");
  return [...ruleCatalogue.rules, ...findings].map(({ id }) => id);
};

const loadShells: LoadWords = async () =>
  Object.keys((await import("./completion_scripts.ts")).completionScripts);

/** The options and the commands whose value or operand is of a fixed set. */
const loaders: ReadonlyMap<string, LoadWords> = new Map([
  ["--provider", loadProviders],
  ["--only", loadFaults],
  ["explain", loadRules],
  ["completion", loadShells],
]);

/** Returns the values of an option, or the operands of a command, if they are of a fixed set. */
export async function knownValuesOf(name: string): Promise<readonly string[]> {
  return await loaders.get(name)?.() ?? [];
}
