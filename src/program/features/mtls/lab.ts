import type { Lab } from "../../../lab/lab.ts";
import { issuerUrl } from "../../../server/protocol/issuer_url.ts";
import { labeled } from "../../operate/greeting_lines.ts";
import type { Colors } from "../../terminal/color.ts";

/** Returns where clients with certificates connect, and what makes a certificate. */
export function mtlsLines({ settings, context }: Lab, colors: Colors): string[] {
  const [url] = [settings.config().mtls?.url ?? []].flat();
  if (url === undefined) return [];
  const makes = `POST ${issuerUrl(context.settings.frontChannelUrl, "/lab/certificates/CLIENT")}`;
  return [labeled("mTLS", `${colors.link(url)}; ${makes} makes a certificate`, colors)];
}
