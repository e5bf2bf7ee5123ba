import { type Exchange, headerOf } from "../../recording/exchange.ts";
import { type FlowCheck, missing, serverCheck } from "./flow_check.ts";

const formType = "application/x-www-form-urlencoded";

/** The endpoints whose requests are always forms. */
const formEndpoints = ["par", "token", "introspect", "revoke", "deviceAuthorization"];

/** Returns why the server read no parameters: a wrong method, or a body that is no form. */
export function formCheck({ request, response }: Exchange): FlowCheck | undefined {
  if (response?.status === 405) {
    return serverCheck({
      title: "The endpoint supports the method",
      expected: headerOf(response, "Allow") ?? "another method",
      came: request.method,
      isPassed: false,
      see: "RFC 9110, section 15.5.6",
    });
  }
  const type = request.headers["content-type"];
  if (response?.status !== 400 || type?.startsWith(formType)) return undefined;
  return formEndpoints.includes(request.endpoint ?? "") ? bodyCheck(type) : undefined;
}

function bodyCheck(type: string | undefined): FlowCheck {
  return serverCheck({
    title: "The body is a form",
    expected: formType,
    came: type ?? missing,
    isPassed: false,
    see: "OAuth 2.1, section 3.2.2",
  });
}
