/** Whether a path belongs to the interface of a lab over HTTP. */
export function isControl(path: string): boolean {
  return path === "/lab" || path.startsWith("/lab/");
}

/** The path below which the tenants of a lab live. */
export const tenantsPath = "/t/";

/** Returns the path of a tenant below the issuer of its lab. */
export function tenantPath(id: string): string {
  return `${tenantsPath}${id}`;
}
