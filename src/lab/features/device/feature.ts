import { deviceParts } from "../../../server/features/device/parts.ts";
import type { LabFeature } from "../../feature.ts";

/** The page for the codes of devices says what it is, and which codes wait for their user. */
export const devicePage: LabFeature = {
  name: "device",
  open: ({ lab, isGuarded }) => ({
    pageNotice(path) {
      if (path !== deviceParts(lab().context).paths.device) return undefined;
      return import("./waiting_codes.ts").then(({ aboutDevicePage }) =>
        aboutDevicePage(lab(), !isGuarded)
      );
    },
  }),
};
