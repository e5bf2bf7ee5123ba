import { UsageError } from "../../terminal/exit_code.ts";

/** Returns the names of faults, and an error that names the page that explains them. */
export async function faultNames() {
  const { catalogue } = await import("../../../lab/features/faults/catalogue.ts");
  return {
    names: [...catalogue.keys()] as string[],
    explain(name: string): never {
      throw new UsageError(
        `'${name}' is a fault, not a rule. The page /lab/faults of a lab describes all faults.`,
      );
    },
  };
}
