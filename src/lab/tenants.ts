import { basePath, issuerUrl } from "../protocol/issuer_url.ts";
import type { Lab, TenantConfig, Tenants } from "./lab.ts";
import { LabError, unknownName } from "./lab_error.ts";
import type { LabConfig } from "./lab_server.ts";

const place = "/t/";

type LabAddresses = Pick<LabConfig, "issuer" | "frontChannelUrl" | "backChannelUrl">;

export function createTenants(config: LabAddresses, openLab: (config: LabConfig) => Lab): Tenants {
  const labs = new Map<string, Lab>();
  const prefix = `${basePath(config.issuer)}${place}`;
  let opened = 0;

  function openTenant(id: string, tenant: TenantConfig): Lab {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) {
      throw new LabError("The id of a tenant is made of up to 64 letters, digits, - and _.");
    }
    if (labs.has(id)) throw new LabError(`There is a tenant '${id}' already.`);
    const lab = openLab({ ...tenant, ...addressesBelow(config, `${place}${id}`) });
    labs.set(id, lab);
    lab.onClose(() => void labs.delete(id));
    return lab;
  }

  const tenants: Tenants = {
    open: ({ id, ...config }) => openTenant(id ?? String(++opened), config),
    ofPath(pathname) {
      if (labs.size === 0) return undefined;
      // A well-known document of a tenant may stand before the path.
      const at = pathname.startsWith(prefix)
        ? 0
        : pathname.startsWith("/.well-known/")
        ? pathname.indexOf(prefix)
        : -1;
      if (at < 0) return undefined;
      return labs.get(pathname.slice(at + prefix.length).split("/", 1)[0]);
    },
    find(id) {
      const lab = labs.get(id);
      if (!lab) throw unknownName("tenant", id, tenants.ids());
      return lab;
    },
    ids: () => [...labs.keys()],
    async close(id) {
      const closing = id === undefined ? [...labs] : [[id, tenants.find(id)] as const];
      for (const [name] of closing) labs.delete(name);
      await Promise.all(closing.map(([, lab]) => lab.close()));
    },
  };
  return tenants;
}

/** A tenant is found by every address of the lab, each with the tenant's path. */
function addressesBelow(
  { issuer, frontChannelUrl, backChannelUrl }: LabAddresses,
  path: string,
): LabAddresses {
  return {
    issuer: issuerUrl(issuer, path),
    frontChannelUrl: frontChannelUrl && issuerUrl(frontChannelUrl, path),
    backChannelUrl: backChannelUrl && issuerUrl(backChannelUrl, path),
  };
}
