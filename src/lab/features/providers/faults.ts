import type { LabParts } from "../../handling/lab_parts.ts";
import { providerNameOf, type ProvidersSetting } from "./config.ts";

/** Returns why a fault without a tenant may never fire. The clients of a provider meet its tenant. */
export function warnOfTenants({ issuer, config }: LabParts): string | undefined {
  const [provider] = config<ProvidersSetting>().providers ?? [];
  if (provider === undefined) return undefined;
  const tenant = providerNameOf(provider);
  return `This fires only at ${issuer}, and at no provider. Name a 'tenant', such as '${tenant}'.`;
}
