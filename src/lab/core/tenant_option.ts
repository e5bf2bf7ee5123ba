/**
 * Returns what the option `tenant` of a tool or an operation names: a part of the lab itself, or of
 * one of its tenants.
 */
export function ofTenant<Part>(
  tenant: string | undefined,
  own: Part,
  tenants: { find(id: string): Part },
): Part {
  return tenant === undefined ? own : tenants.find(tenant);
}
