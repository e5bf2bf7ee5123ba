import { ourPages } from "../../server/pages/pages.ts";
import type { Dialect } from "../dialect/dialect.ts";
import { type DialectAddress, dialectAddress } from "../dialect/dialect_address.ts";
import type { CoreLabConfig } from "../lab_server/core_lab_config.ts";

/** Returns the settings of a lab with what its dialect changes of them. */
export function withDialect(config: CoreLabConfig): CoreLabConfig {
  const { dialect, issuer, frontChannelUrl, backChannelUrl } = config;
  if (!dialect) return config;
  const address = dialectAddress(issuer, dialect);
  const moved = (url: string) => dialectAddress(url, { ...dialect, tenant: address.tenant }).issuer;
  return {
    ...config,
    issuer: address.issuer,
    ...frontChannelUrl && { frontChannelUrl: moved(frontChannelUrl) },
    ...backChannelUrl && { backChannelUrl: moved(backChannelUrl) },
    ...dialect.claims && { policies: withClaims(config, dialect, address) },
    ...dialect.unrefusableScopes && { pages: withChoices(config, dialect.unrefusableScopes) },
  };
}

function withClaims(
  { policies }: CoreLabConfig,
  dialect: Dialect,
  address: DialectAddress,
): NonNullable<CoreLabConfig["policies"]> {
  return {
    ...policies,
    async claims(...query) {
      const { createClaimsPolicy } = await import("../dialect/added_claims.ts");
      return await createClaimsPolicy(dialect, address, policies?.claims)(...query);
    },
  };
}

/** Asks for some scopes together, and for others one by one if there are several of them. */
function withChoices(
  { pages }: CoreLabConfig,
  together: readonly string[],
): NonNullable<CoreLabConfig["pages"]> {
  const { consent = ourPages.consent } = pages ?? {};
  return {
    ...pages,
    consent(props) {
      const choices = props.choices.filter((scope) => !together.includes(scope));
      return consent({ ...props, choices: choices.length > 1 ? choices : [] });
    },
  };
}
