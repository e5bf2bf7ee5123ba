import type { ResponseData } from "../../server/http/response_data.ts";
import type { RespondStrictly } from "../handling/stand_in.ts";

/** A refusal of the server that the test wants to see. */
export class StrictRefusal extends Error {
  override readonly name = "StrictRefusal";
  readonly response: ResponseData;

  constructor(response: ResponseData) {
    super("The server refused the request.");
    this.response = response;
  }
}

/** Throws what the server refuses, so that no other product responds in its place. */
export function withRefusals(respondStrictly: RespondStrictly): RespondStrictly {
  return async (request) => {
    const response = await respondStrictly(request);
    if (isRefusal(response)) throw new StrictRefusal(response);
    return response;
  };
}

/** Whether a response is an error, or a redirect with one. */
function isRefusal({ status, headers }: ResponseData): boolean {
  const [, location = ""] = headers.find(([name]) => name.toLowerCase() === "location") ?? [];
  return status >= 400 || (URL.canParse(location) && new URL(location).searchParams.has("error"));
}
