import type { ResponseData } from "../../../server/http/response_data.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { LabError } from "../../util/lab_error.ts";
import {
  type LabPage,
  type LabPageCall,
  type LabPageRoute,
  seePage,
  seePreviousPage,
} from "./lab_page.ts";

/** A page, at a path below `/lab`. */
export function pageAt<Members extends object>(
  path: string,
  handle: LabPageRoute<Members>["handle"],
): LabPageRoute<Members> {
  return { method: "GET", path, handle };
}

/** What a form led to: a page, or its path below `/lab`; by default, the page that the form was on. */
type FormResult = LabPage | ResponseData | string | void;

/**
 * A form, at a path below `/lab`. If `act` throws a problem, `again` returns the page of the form
 * with it. A form without `again` leads to a page that shows the problem alone.
 */
export function formAt<Members extends object>(
  path: string,
  act: (lab: CoreLab & Members, call: LabPageCall) => FormResult | Promise<FormResult>,
  again?: (
    lab: CoreLab & Members,
    call: LabPageCall,
    problem: LabError,
  ) => LabPage | Promise<LabPage>,
): LabPageRoute<Members> {
  return {
    method: "POST",
    path,
    async handle(lab, call) {
      try {
        const result = await act(lab, call) ?? seePreviousPage(call);
        return typeof result === "string" ? seePage(call, result) : result;
      } catch (cause) {
        if (!again || !(cause instanceof LabError)) throw cause;
        return { status: 422, ...await again(lab, call, cause) };
      }
    },
  };
}
