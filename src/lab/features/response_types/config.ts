import { type ResponseMode, responseModes } from "../../../server/model/client_config.ts";
import type { CoreLabConfig } from "../../lab_server/core_lab_config.ts";

/** What authorization responses have besides a code. */
export interface ResponseTypesSetting {
  /**
   * The response types of authorization requests, for older libraries. An ID token needs a nonce,
   * and is sent by `form_post`, or with `fragment` in the list by default in the fragment.
   *
   * @default ["code"]
   * @forTests it sends an ID token in an authorization response
   * @atStart it is set at the start, or for a tenant
   */
  responseTypes?: Array<"code" | "id_token" | "code id_token" | "fragment"> | undefined;
}

/** The configuration of a lab, with the response types of its clients. */
export type ResponseTypesConfig = CoreLabConfig & ResponseTypesSetting;

/** Returns the response modes of clients that name none, if a fragment is one of them. */
export function clientModesOf(
  { responseTypes = [] }: ResponseTypesSetting,
): ResponseMode[] | undefined {
  return responseTypes.includes("fragment") ? [...responseModes] : undefined;
}
