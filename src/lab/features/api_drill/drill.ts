import { textDownload } from "../../../server/http/response.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { nameOfApi } from "../../core/remarks.ts";
import { checksToJunit } from "../../findings/junit.ts";
import type { ApiDrillResult } from "./api_drill_result.ts";
import type { ApiDrillCall, ApiDrillTools } from "./api_drill_tools.ts";

/** What a call of a drill has if it is about an API. */
export interface ApiDrillCalls {
  /** The API to drill, in place of a login. */
  api?: ApiDrillCall | undefined;
}

/** What `POST /drill` does with an API. */
export const apiDrillCall = {
  member: "api",
  returns: "ApiDrillResult",
  async run(lab: CoreLab, api: unknown, format: string): Promise<unknown> {
    // The schema of the operation has checked it, and every lab has its features.
    const { drillApi } = lab as CoreLab & ApiDrillTools;
    const result = await drillApi(api as ApiDrillCall);
    if (format === "json") return result;
    return textDownload(apiDrillToJunit(result), {
      contentType: "application/xml; charset=utf-8",
      fileName: "hallpass-api-drill.xml",
    });
  },
};

/** Formats the drill of an API as JUnit XML: a test case for each check. */
export function apiDrillToJunit({ url, client, checks }: ApiDrillResult): string {
  return checksToJunit([{ name: `hallpass drill api ${nameOfApi(url, client)}`, checks }]);
}
