import type { ResponseData } from "../../../server/http/response_data.ts";
/** @jsxImportSource preact */
import type { CoreLab } from "../../core/core_lab.ts";
import { LabError } from "../../util/lab_error.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { seePage } from "../page/page_response.ts";
import type { DirectoryArea, FieldValues } from "./directory_area.ts";
import { EntryForm } from "./entry_form.tsx";
import { EntryList } from "./entry_list.tsx";
import { LabState } from "./lab_state.tsx";

/** Returns the pages and forms for the users or the clients of a lab. */
export function directoryPages<T extends object>(area: DirectoryArea<T>): LabPageRoute[] {
  const { what, directoryOf, toValues } = area;
  const all = `/${what}s`;

  function editPage(lab: CoreLab, call: LabPageCall, entry: T): LabPage {
    return entryPage(area, lab, call, { name: area.nameOf(entry), values: toValues(entry) });
  }

  function save(lab: CoreLab, call: LabPageCall): LabPage | ResponseData {
    const { form } = call;
    const isNew = form.get("new") === "true";
    try {
      const entry = area.readForm(form);
      if (isNew) checkUnused(area, lab, area.nameOf(entry));
      directoryOf(lab).put(entry);
    } catch (cause) {
      if (!(cause instanceof LabError)) throw cause;
      const name = isNew ? undefined : form.get(area.nameField) ?? "";
      const { message: problem, field } = cause;
      const invalid = field && area.fieldOf(field);
      const shown = { name, values: form, problem, invalid };
      return { ...entryPage(area, lab, call, shown), status: 422 };
    }
    return seePage(call, all);
  }

  return [
    { method: "GET", path: all, handle: (lab, call) => listPage(area, lab, call) },
    {
      method: "GET",
      path: `${all}/:name`,
      handle: (lab, call) => editPage(lab, call, directoryOf(lab).get(call.segment)),
    },
    {
      method: "GET",
      path: `/new-${what}`,
      handle: (lab, call) => entryPage(area, lab, call, { values: new URLSearchParams() }),
    },
    { method: "POST", path: `/save-${what}`, handle: save },
    {
      method: "POST",
      path: `/remove-${what}`,
      handle(lab, call) {
        directoryOf(lab).remove(call.form.get(area.nameField) ?? "");
        return seePage(call, all);
      },
    },
  ];
}

/** A form that adds must not replace what is there. */
function checkUnused<T extends object>(
  { what, nameField, nameOf, directoryOf }: DirectoryArea<T>,
  lab: CoreLab,
  name: string,
): void {
  if (!directoryOf(lab).list().some((entry) => nameOf(entry) === name)) return;
  throw new LabError(`There is already a ${what} '${name}'.`, { field: nameField });
}

async function listPage<T extends object>(
  area: DirectoryArea<T>,
  lab: CoreLab,
  call: LabPageCall,
): Promise<LabPage> {
  const { what } = area;
  const title = what === "user" ? "Users" : "Clients";
  return {
    title,
    area: `${what}s`,
    isLive: true,
    content: (
      <>
        <EntryList
          page={call}
          area={area}
          title={title}
          entries={area.directoryOf(lab).list()}
          query={call.query}
        />
        {await area.others?.(lab)}
        <LabState page={call} back={call.here} />
      </>
    ),
  };
}

/** What the form of an entry shows. */
interface ShownEntry {
  /** The name of the entry; undefined for a new one. */
  name?: string | undefined;
  values: FieldValues;
  problem?: string | undefined;
  /** The name of the field that is wrong. */
  invalid?: string | undefined;
}

function entryPage<T extends object>(
  area: DirectoryArea<T>,
  lab: CoreLab,
  call: LabPageCall,
  { name, values, problem, invalid }: ShownEntry,
): LabPage {
  const { what, nameField, fields } = area;
  return {
    title: name ?? `New ${what}`,
    area: `${what}s`,
    content: (
      <EntryForm
        page={call}
        what={what}
        nameField={nameField}
        name={name}
        newName={values.get(nameField) ?? ""}
        problem={problem}
        invalid={invalid}
      >
        {fields(lab, values, invalid)}
      </EntryForm>
    ),
  };
}
