import { lazyModule } from "../../../server/util/lazy_module.ts";
import { callbackPaths } from "../../lab_server/started_flow.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";

const { showResponse, receiveForm, sendFollowUp } = lazyModule(() =>
  import("./pages/authorized_pages.tsx")
);

/** The page where a flow of the lab's own ends, and what the client does next. */
export const authorizedInterface: FeatureInterface = {
  frontPages: callbackPaths.flatMap((path) => [
    { method: "GET", path, handle: showResponse },
    { method: "POST", path, takesAnyForm: true, handle: receiveForm },
    { method: "POST", path: `${path}/send`, handle: sendFollowUp },
  ]),
};
