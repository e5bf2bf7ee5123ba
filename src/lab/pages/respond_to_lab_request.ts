import type { ResponseData } from "../../http/response_data.ts";
import { control } from "../control/control.ts";
import type { Lab } from "../lab.ts";
import { handlePage, type LabRequest } from "./handle_page.ts";

/** Responds to a request for the lab's interface over HTTP: with a page, or in JSON. */
export async function respondToLabRequest(lab: Lab, labRequest: LabRequest): Promise<ResponseData> {
  const { request, path, token } = labRequest;
  return await handlePage(lab, labRequest) ?? await control(lab, request, path, token);
}
