import {
  providerNameOf,
  type ProviderSetting,
  type ProvidersSetting,
} from "../../../../lab/features/providers/config.ts";
import type { Lab } from "../../../../lab/lab.ts";
import { issuerUrl } from "../../../../server/protocol/issuer_url.ts";
import { labeled } from "../../../operate/greeting_lines.ts";
import type { Colors } from "../../../terminal/color.ts";

/** Names the providers that a lab plays: itself, or in tenants. */
export function providerLines({ settings, context, tenants }: Lab, colors: Colors): string[] {
  const { provider, providers = [] } = settings.config<ProviderSetting & ProvidersSetting>();
  if (provider !== undefined) return [labeled("Plays", providerNameOf(provider), colors)];
  const open = providers.map(providerNameOf).filter((name) => tenants.ids().includes(name));
  if (open.length === 0) return [];
  const page = issuerUrl(context.settings.frontChannelUrl, "/t/NAME");
  return [
    ...open.map((name) => labeled("Plays", `${name}  ${tenants.find(name).issuer}`, colors)),
    labeled("At each", `most users and clients below; begin at ${page}`, colors),
  ];
}
