import type { Pages } from "../../pages/pages.ts";
import { presentFlowUrl } from "../recording/request_scope.ts";

/** Adds to an error page the link that shows what happened. */
export function withFlowLink(page: Pages["error"]): Pages["error"] {
  return (props) => page({ ...props, flowUrl: presentFlowUrl() });
}
