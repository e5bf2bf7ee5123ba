/** @jsxImportSource preact */
import { grantTypesOf } from "../../../server/config/make_client.ts";
import type { ClientConfig } from "../../../server/features.ts";
import { deviceParts } from "../../../server/features/device/parts.ts";
import { deviceCodeGrantType } from "../../../server/protocol/grant_types.ts";
import { shellQuote } from "../../../server/util/text/shell_quote.ts";
import { findEndpointUrl } from "../../dialect/lab_endpoints.ts";
import type { ClientCommand, CommandSource } from "../../flows/curl.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";

/** What the home page shows of clients that can start as a device. */
export const deviceInterface: FeatureInterface = { clientCommands: deviceCommand };

/** Returns the command that starts a flow as a device. */
function deviceCommand(source: CommandSource, client: ClientConfig): ClientCommand[] {
  const { id, secret } = client;
  if (!grantTypesOf(client).includes(deviceCodeGrantType) || secret) return [];
  const url = findEndpointUrl(source, "device_authorization_endpoint");
  if (url === undefined) return [];
  const { context } = source;
  const page = `${context.settings.base}${deviceParts(context).paths.device}`;
  const field = shellQuote(`client_id=${id}`);
  return [{
    what: "Start as a device",
    text: `curl ${shellQuote(url)} \\\n  --data-urlencode ${field}`,
    note: (
      <>
        Then enter the <code>user_code</code> <a href={page}>on this page</a>.
      </>
    ),
  }];
}
