import { findClient } from "../../../server/issuer/clients/clients.ts";
import { OAuthError } from "../../../server/protocol/oauth_error.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { authorizationRequestOf } from "../../flows/checks/check_facts.ts";
import { findSubject } from "../../tokens/subjects.ts";
import { issueCodeWithoutRequest } from "../../tokens/unrequested_code.ts";
import { LabError } from "../../util/lab_error.ts";
import { type IssuingFlow, issuingFlowOf, type ServerEventOf } from "./issuing_flow.ts";
import { vouchAgain } from "./vouch_again.ts";

/** How a request is carried. What it asks for is known without them. */
const carriers = ["request", "request_uri"];

/** Returns why the lab cannot issue a code like this one, or undefined. */
export function codeProblem(lab: CoreLab, code: string): string | undefined {
  return readRecordedCode(lab, code) ? undefined : "The lab did not record how it was issued.";
}

/** Issues a code like one that was issued: for the same request, user and scope. */
export async function issueFreshCode(lab: CoreLab, code: string): Promise<string> {
  const { context: ctx } = lab;
  const { event, parameters } = readRecordedCode(lab, code) ?? {};
  const client = event && await findClient(ctx, event.client);
  const user = event && await findSubject(ctx, event.user);
  if (!event || !parameters || !client || !user) {
    throw new LabError("The lab cannot issue a fresh code: its user or its client is gone.");
  }
  parameters.set("scope", event.scope.join(" "));
  const takeBack = await vouchAgain(lab, parameters);
  try {
    return (await issueCodeWithoutRequest(ctx, client, user, [...parameters])).code;
  } catch (cause) {
    if (!(cause instanceof OAuthError)) throw cause;
    throw new LabError(`The lab cannot issue a fresh code: ${cause.message}`, { cause });
  } finally {
    takeBack();
  }
}

/** How a code was issued: what the user allowed, and the request for it. */
interface RecordedCode {
  event: ServerEventOf<"code.issued">;
  parameters: URLSearchParams;
}

function readRecordedCode(lab: CoreLab, code: string): RecordedCode | undefined {
  const flow = issuingFlowOf(lab, code);
  const event = flow && codeEventOf(flow);
  const parameters = flow && authorizationRequestOf(flow.exchanges);
  if (!event || !parameters) return undefined;
  for (const name of carriers) parameters.delete(name);
  parameters.set("client_id", event.client);
  return { event, parameters };
}

function codeEventOf({ issuing }: IssuingFlow): ServerEventOf<"code.issued"> | undefined {
  return issuing.events.find((event) => event.type === "code.issued");
}
