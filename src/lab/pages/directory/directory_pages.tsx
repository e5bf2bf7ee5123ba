/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { ResponseData } from "../../../server/http/response_data.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { Directory } from "../../lab_server/directory.ts";
import { LabError } from "../../util/lab_error.ts";
import {
  type EntryKind,
  type LabPage,
  type LabPageCall,
  type LabPageRoute,
  seePage,
} from "../page/lab_page.ts";
import { EntryName } from "../parts/copy_text.tsx";
import type { Field } from "../parts/fields.tsx";
import { ActionForm, FormFields, FormProblem, LabForm, SubmitRow } from "../parts/form.tsx";
import { fieldOf, fillFields, readFields } from "../parts/form_values.ts";
import {
  Count,
  FilterForm,
  firstEntries,
  hasWords,
  linkToAll,
  pageOf,
  Pager,
} from "../parts/long_list.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { type Column, Empty, Table } from "../parts/tables.tsx";

/** The entry of the top bar for what a lab is made of. */
export const setupArea = "setup";

/** How the pages show the users or the clients of a lab. */
export interface DirectoryArea<T extends object> {
  /** What an entry is. */
  what: EntryKind;
  title: string;
  /** What the list is for, in a sentence. */
  introduction: string;
  directoryOf(lab: CoreLab): Directory<T>;
  nameOf(entry: T): string;
  /** The columns of the list, without the name. */
  columns: ReadonlyArray<Column<T>>;
  /** The field that names an entry. */
  key: Pick<Field, "name" | "label">;
  /** The other fields of the form. */
  fieldsOf(lab: CoreLab): Promise<readonly Field[]>;
  /** Completes what was read from the form. */
  toEntry?(read: T): T;
  /** Shows below the form of an entry what can be done with it. */
  sectionOf?(lab: CoreLab, call: LabPageCall, entry: T): Promise<VNode | undefined>;
  /** Shows below the list what is there and cannot be changed on these pages. */
  others?(lab: CoreLab): Promise<VNode>;
}

/** The form of an entry, as it was sent or as the entry fills it in. */
interface EntryForm {
  /** The name of the entry; undefined for a new one. */
  name?: string | undefined;
  values: URLSearchParams;
  problem?: LabError;
}

/** Returns the pages and forms for the users or the clients of a lab. */
export function directoryPages<T extends object>(area: DirectoryArea<T>): LabPageRoute[] {
  const { what, key, directoryOf, nameOf, fieldsOf } = area;
  return [
    { method: "GET", path: `/${what}s`, handle: (lab, call) => listPage(area, lab, call) },
    {
      method: "GET",
      path: `/${what}s/:name`,
      async handle(lab, call) {
        const entry = directoryOf(lab).get(call.segment);
        const values = fillFields([key, ...await fieldsOf(lab)], entry);
        return await entryPage(area, lab, call, { name: nameOf(entry), values });
      },
    },
    {
      method: "GET",
      path: `/new-${what}`,
      handle: (lab, call) => entryPage(area, lab, call, { values: new URLSearchParams() }),
    },
    { method: "POST", path: `/save-${what}`, handle: (lab, call) => save(area, lab, call) },
    {
      method: "POST",
      path: `/remove-${what}`,
      handle(lab, call) {
        directoryOf(lab).remove(call.form.get(key.name) ?? "");
        return seePage(call, `/${what}s`);
      },
    },
  ];
}

async function save<T extends object>(
  area: DirectoryArea<T>,
  lab: CoreLab,
  call: LabPageCall,
): Promise<LabPage | ResponseData> {
  const { what, key, directoryOf, nameOf, fieldsOf, toEntry = (read) => read } = area;
  const { form } = call;
  const isNew = form.get("new") === "true";
  try {
    const read = readFields([key, ...await fieldsOf(lab)], form);
    const entry = toEntry({ [key.name]: "", ...read } as T);
    // A form that adds must not replace what is there.
    if (isNew && directoryOf(lab).list().some((each) => nameOf(each) === nameOf(entry))) {
      throw new LabError(`There is already a ${what} '${nameOf(entry)}'.`, { field: key.name });
    }
    directoryOf(lab).put(entry);
  } catch (problem) {
    if (!(problem instanceof LabError)) throw problem;
    const name = isNew ? undefined : form.get(key.name) ?? "";
    return { ...await entryPage(area, lab, call, { name, values: form, problem }), status: 422 };
  }
  return seePage(call, `/${what}s`);
}

async function listPage<T extends object>(
  area: DirectoryArea<T>,
  lab: CoreLab,
  call: LabPageCall,
): Promise<LabPage> {
  const { what, title, introduction, directoryOf } = area;
  const { base, query } = call;
  const path = `${base}/lab/${what}s`;
  const entries = directoryOf(lab).list();
  const found = entries.filter((entry) => hasWords(JSON.stringify(entry), query.get("q")));
  const page = pageOf(found, query.get("page"));
  return {
    title,
    area: setupArea,
    isLive: true,
    content: (
      <>
        <PageHead title={title} actions={addLink(base, what)}>{introduction}</PageHead>
        <FilterForm action={path} label={`Find a ${what}`} query={query} />
        <Section
          title={title}
          id="entries"
          live
          actions={<Count shown={found.length} all={entries.length} />}
        >
          {directoryTable(area, base, page.entries, entries.length > 0)}
          <Pager what={`${what}s`} page={page} path={path} query={query} />
        </Section>
        {await area.others?.(lab)}
      </>
    ),
  };
}

/** Shows the entries of a list, the first ones of a long list. */
export function directorySection<T extends object>(
  area: DirectoryArea<T>,
  lab: CoreLab,
  base: string,
): VNode {
  const { what, title, directoryOf } = area;
  const entries = directoryOf(lab).list();
  return (
    <Section
      title={title}
      id={`${what}s`}
      live
      actions={
        <>
          {linkToAll(base, `${what}s`, entries.length)} {addLink(base, what)}
        </>
      }
    >
      {directoryTable(area, base, firstEntries(entries))}
    </Section>
  );
}

function addLink(base: string, what: string): VNode {
  return <a class="button secondary small" href={`${base}/lab/new-${what}`}>{`Add a ${what}`}</a>;
}

function directoryTable<T extends object>(
  { what, key, nameOf, columns }: DirectoryArea<T>,
  base: string,
  entries: readonly T[],
  isFiltered = false,
): VNode {
  const empty = <Empty title={isFiltered ? `No ${what} matches` : `No ${what}s yet`} />;
  const link = (entry: T) => (
    <EntryName
      name={nameOf(entry)}
      href={`${base}/lab/${what}s/${encodeURIComponent(nameOf(entry))}`}
    />
  );
  return <Table columns={[[key.label, link], ...columns]} entries={entries} empty={empty} />;
}

async function entryPage<T extends object>(
  { what, key, fieldsOf, directoryOf, nameOf, sectionOf }: DirectoryArea<T>,
  lab: CoreLab,
  call: LabPageCall,
  { name, values, problem }: EntryForm,
): Promise<LabPage> {
  const entry = directoryOf(lab).list().find((each) => nameOf(each) === name);
  const isNew = name === undefined;
  const fields = await fieldsOf(lab);
  const { field } = problem ?? {};
  const form = { values, invalid: field && fieldOf([key, ...fields], field, values) };
  const newName: Field = { ...key, help: "It cannot be changed later.", required: true };
  const remove = (
    <ActionForm
      page={call}
      action={`/remove-${what}`}
      id="remove"
      fields={{ [key.name]: name ?? "" }}
      look="danger"
    >
      {`Remove this ${what}`}
    </ActionForm>
  );
  return {
    title: name ?? `New ${what}`,
    area: setupArea,
    content: (
      <div class="entry-form">
        <PageHead
          title={isNew ? `New ${what}` : <bdi>{name}</bdi>}
          actions={!isNew && remove}
        />
        <LabForm page={call} action={`/save-${what}`} id="entry" class="panel">
          <FormProblem problem={problem?.message} invalid={form.invalid} />
          {isNew
            ? <input type="hidden" name="new" value="true" />
            : <input type="hidden" name={key.name} value={name} />}
          {isNew && <FormFields fields={[newName]} {...form} />}
          <FormFields fields={fields} {...form} />
          {!isNew && call.additions(what, name).map((addition) => <p>{addition}</p>)}
          <SubmitRow cancel={`${call.base}/lab/${what}s`}>
            {isNew ? `Add the ${what}` : "Save"}
          </SubmitRow>
        </LabForm>
        {entry && await sectionOf?.(lab, call, entry)}
        {!isNew && await call.sections(what, name)}
      </div>
    ),
  };
}
