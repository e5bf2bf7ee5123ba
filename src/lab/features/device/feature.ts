import { deviceParts } from "../../../server/features/device/parts.ts";
import type { LabFeature } from "../../feature.ts";
import { unless } from "../../layers/layer.ts";

/** The page for the codes of devices names those that wait for their user. */
export const devicePage: LabFeature = {
  name: "device",
  open: ({ lab, isGuarded }) => ({
    layers: {
      show: unless(
        ({ path }) => isGuarded || path !== deviceParts(lab().context).paths.device,
        async (_exchange, next) => {
          const response = await next();
          const { withWaitingCodes } = await import("./waiting_codes.ts");
          return { ...response, body: withWaitingCodes(lab(), response.body) };
        },
      ),
    },
  }),
};
