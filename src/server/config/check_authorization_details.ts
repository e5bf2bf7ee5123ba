import type {
  AuthorizationDetailFields,
  AuthorizationDetailTypes,
} from "../protocol/authorization_detail_types.ts";
import type { ReportProblem } from "./problems.ts";

/** Reports members that no request can have: the server would refuse every request. */
export function checkAuthorizationDetails(
  types: AuthorizationDetailTypes,
  report: ReportProblem,
): void {
  for (const [name, { members }] of Object.entries(types)) {
    const path = `authorizationDetails.${name}.members`;
    for (const reserved of ["type", "type?"].filter((each) => Object.hasOwn(members, each))) {
      report(`${path}.${reserved}`, "is the member that names the type; remove it");
    }
    checkNested(members, path, report);
  }
}

function checkNested(
  members: AuthorizationDetailFields,
  path: string,
  report: ReportProblem,
): void {
  for (const [name, kind] of Object.entries(members)) {
    if (typeof kind === "string") continue;
    const at = `${path}.${name}`;
    if (Object.keys(kind).length > 0) checkNested(kind, at, report);
    else report(at, "must name the members of the object, such as { value: number }");
  }
}
