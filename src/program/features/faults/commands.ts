/** Returns the names of faults, and where they are explained. */
export async function faultNames() {
  const { catalogue } = await import("../../../lab/features/faults/catalogue.ts");
  return {
    what: "a fault",
    where: "The page /lab/faults of a lab describes all faults.",
    names: [...catalogue.keys()],
  };
}
