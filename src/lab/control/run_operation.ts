import type { ResponseData } from "../../server/http/response_data.ts";
import type { Fault, QueuedResponse } from "../faults/fault.ts";
import type { FlowScope } from "../faults/flow_scope.ts";
import type { FaultPlace } from "../faults/places.ts";
import type { Hook } from "../hooks/hook.ts";
import { labClaimWarnings } from "../lab_server/claim_warnings.ts";
import type { LabConfig } from "../lab_server/lab_server.ts";
import type { RecordedRequest } from "../recording/recorded_request.ts";
import type { Report } from "../report/report.ts";
import type { HandsFreeState } from "../sign_in/hands_free.ts";
import { readInstant, readSpan } from "../util/clock.ts";
import { LabError, unknownName } from "../util/lab_error.ts";
import type { Lab, TenantConfig } from "./lab.ts";
import type { BodyMembers, OperationCall } from "./operation.ts";
import { formattedReport } from "./report_formats.ts";

/** The clock of a lab, as data. */
interface LabTime {
  now: string;
  frozen: boolean;
}

export function timeOf({ clock }: Lab): LabTime {
  return { now: new Date(clock.now()).toISOString(), frozen: clock.frozen };
}

export function handsFreeState({ handsFreeUser }: Lab): HandsFreeState {
  return { user: handsFreeUser ?? null };
}

export function setHandsFree(lab: Lab, { body: { user, times } }: OperationCall): HandsFreeState {
  lab.signIn(user as string, { times: times as number | undefined });
  return handsFreeState(lab);
}

export function queueResponse(lab: Lab, { body: { at, ...response } }: OperationCall): Fault {
  return lab.next(at as FaultPlace, response as QueuedResponse);
}

export function addClaims(lab: Lab, { body: { claims, ...scope } }: OperationCall): Hook {
  return lab.addClaims(claims as Record<string, unknown>, scope as FlowScope);
}

/** Moves the clock after everything has been read, so that a malformed member changes nothing. */
export function moveClock(lab: Lab, { body: { set, advance, freeze } }: OperationCall): LabTime {
  if (set === undefined && advance === undefined && freeze === undefined) {
    throw new LabError("Send at least one of: set, advance, freeze.");
  }
  const instant = set === undefined ? lab.clock.now() : readInstant(set);
  const span = advance === undefined ? 0 : readSpan(advance);
  lab.clock.set(instant + span);
  if (freeze === true) lab.clock.freeze();
  if (freeze === false) lab.clock.run();
  return timeOf(lab);
}

export async function listRequests(lab: Lab, { query }: OperationCall): Promise<RecordedRequest[]> {
  const value = (name: string) => query.get(name) || undefined;
  const status = value("status") === undefined ? undefined : Number(value("status"));
  if (Number.isNaN(status)) throw new LabError("The 'status' must be a number.");
  const filter = {
    path: value("path"),
    method: value("method"),
    client: value("client"),
    status,
    secrets: value("secrets") === "true",
  };
  const wait = value("wait") === undefined ? 0 : readSpan(value("wait"));
  if (wait > 0 && lab.requests(filter).length === 0) await lab.nextRequest(filter, wait);
  return lab.requests(filter);
}

export function reportResponse(lab: Lab, { query }: OperationCall): Report | ResponseData {
  return formattedReport(lab, query) ?? lab.report();
}

/** A tenant, as data. */
interface TenantDescription {
  id: string;
  issuer: string;
  /** What its configuration probably got wrong. */
  warnings?: string[];
}

export async function openTenant(
  lab: Lab,
  body: OperationCall["body"],
  members: BodyMembers,
): Promise<TenantDescription> {
  const names = Object.keys(members);
  const unknown = Object.keys(body).find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownName("tenant setting", unknown, names);
  const tenant = await lab.tenant({ ...fetchOf(lab, body), ...body } as TenantConfig);
  const { issuer, context } = tenant;
  const warnings = await labClaimWarnings(context.settings);
  const id = issuer.slice(issuer.lastIndexOf("/") + 1);
  return { id, issuer, ...warnings.length > 0 && { warnings } };
}

/** JSON holds no function: a tenant that fetches documents of clients does so as its lab does. */
function fetchOf(lab: Lab, { clientMetadataDocuments }: OperationCall["body"]): Partial<LabConfig> {
  const { settings } = lab.context;
  const shares = clientMetadataDocuments === true && settings.clientMetadataDocuments;
  return shares ? { fetchUntrusted: settings.fetchUntrusted } : {};
}

export function tenantOf({ tenants }: Lab, id: string): TenantDescription {
  return { id, issuer: tenants.find(id).issuer };
}
