import { readJwt } from "../../recording/credentials.ts";
import type { WireResponse } from "../../recording/exchange.ts";
import { failureResponse } from "../../responses/failure_response.ts";
import { changePart, type JsonMembers, type ResponsePart } from "../../responses/part.ts";
import type { ChangingFault, FaultContext, FaultKind, ReplacingFault } from "./fault.ts";
import { breaksSignature, canForge, forgeJwt, type JwtChange } from "./jwt_forgery.ts";

/** Creates a fault in a part of a response. It never fires for a part that lacks what it needs. */
export function changing<Value>(
  part: ResponsePart<Value>,
  summary: string,
  change: (value: Value, context: FaultContext) => Value | Promise<Value>,
  needs: (value: Value, context: FaultContext) => boolean | Promise<boolean> = () => true,
): ChangingFault {
  return {
    summary,
    appliesTo: part.appliesTo,
    async canChange(response, context) {
      const value = part.read(response, context.server);
      return value !== undefined && await needs(value, context);
    },
    change: (response, context) =>
      changePart(part, context.server, response, (value) => change(value, context)),
  };
}

/** Creates a fault that changes several parts, each in a response of its own. */
export function together(summary: string, faults: readonly ChangingFault[]): ChangingFault {
  const faultFor = async (response: WireResponse, context: FaultContext) => {
    for (const fault of faults.filter(({ appliesTo }) => appliesTo(context.request))) {
      if (await fault.canChange(response, context)) return fault;
    }
    return undefined;
  };
  return {
    summary,
    appliesTo: (request) => faults.some(({ appliesTo }) => appliesTo(request)),
    canChange: async (response, context) => await faultFor(response, context) !== undefined,
    async change(response, context) {
      const fault = await faultFor(response, context);
      return fault ? await fault.change(response, context) : response;
    },
  };
}

/** Creates a fault that fails in place of the server, with an error in JSON. */
export function failing(
  appliesTo: ReplacingFault["appliesTo"],
  summary: string,
  ...failure: Parameters<typeof failureResponse>
): ReplacingFault {
  return { summary, appliesTo, respond: async () => failureResponse(...failure) };
}

/** Creates a fault for each forgery of a JWT: "id_token.expired". `what` is the JWT in words. */
export function forging<Kind extends string, Word extends string>(
  kind: Kind,
  part: ResponsePart<string>,
  what: string,
  forgeries: Readonly<Record<Word, JwtChange>>,
): Record<`${Kind}.${Word}`, FaultKind> {
  const kinds = Object.entries<JwtChange>(forgeries).map(([word, forgery]) => [
    `${kind}.${word}`,
    forged(part, `The ${what} ${forgery.what}.`, forgery),
  ]);
  return Object.fromEntries(kinds);
}

export function hasMember(name: string): (members: JsonMembers) => boolean {
  return (members) => members[name] !== undefined;
}

export function withoutMember(name: string): (members: JsonMembers) => JsonMembers {
  return ({ [name]: _, ...others }) => others;
}

/** Creates a fault in a JWT. It never fires for a response that has none. */
function forged(part: ResponsePart<string>, summary: string, forgery: JwtChange): ChangingFault {
  const canChange = (jwt: string) => {
    const read = readJwt(jwt);
    return read !== undefined && canForge(read, forgery);
  };
  const change = async (jwt: string, { server }: FaultContext) => {
    const read = readJwt(jwt);
    return read ? await forgeJwt(server, read, forgery) : jwt;
  };
  return {
    ...changing(part, summary, change, canChange),
    breaksSignature: breaksSignature(forgery),
  };
}
