/** A client, and the tenant that knows it: each tenant has its own clients. */
export interface TenantClient {
  /** The client, if a request or its flow names one. */
  client?: string | undefined;
  /** The tenant or provider that it talks to, if that is not the lab itself: `"google"`. */
  tenant?: string | undefined;
}

/** Returns the name of a client for readers: "web", or "web at tenant acme". */
export function nameOfClient({ client, tenant }: TenantClient): string | undefined {
  return [client, tenant && `at tenant ${tenant}`].filter(Boolean).join(" ") || undefined;
}

/** Whether both are the same client, or both are none at the same tenant. */
export function isSameClient(one: TenantClient, other: TenantClient): boolean {
  return (one.client || undefined) === (other.client || undefined) && one.tenant === other.tenant;
}

/** Whether something is of a tenant, or of a tenant of it; without a name, of any. */
export function isWithin(tenant: string | undefined, own: TenantClient): boolean {
  return tenant === undefined || own.tenant === tenant ||
    (own.tenant?.startsWith(`${tenant}/`) ?? false);
}

/** The tenant that is the identity provider of an enterprise. */
export const companyId = "company";
