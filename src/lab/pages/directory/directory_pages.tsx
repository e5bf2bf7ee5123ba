/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import { maxNameLength } from "../../flows/flow_story.ts";
import type { Directory } from "../../lab_server/directory.ts";
import { LabError } from "../../util/lab_error.ts";
import type { EntryKind, LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { formAt, pageAt } from "../page/page_routes.ts";
import { CopyAll, ShortName } from "../parts/copy_text.tsx";
import type { Field } from "../parts/fields.tsx";
import { ActionForm, FormFields, FormProblem, LabForm, SubmitRow } from "../parts/form.tsx";
import { fieldOf, fillFields, readFields } from "../parts/form_values.ts";
import { Count, FilterForm, hasWords, Paged } from "../parts/long_list.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { type Column, Empty, Table } from "../parts/tables.tsx";

/** The entry of the top bar for what a lab is made of. */
export const setupArea = "setup";

/** How many users and how many clients a page lists where another one has all. */
const maxListed = 10;

/** How the pages show the users or the clients of a lab. */
export interface DirectoryArea<T extends object> {
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
    pageAt(`/${what}s`, (lab, call) => listPage(area, lab, call)),
    pageAt(`/${what}s/:name`, async (lab, call) => {
      const entry = directoryOf(lab).get(call.segment);
      const values = fillFields([key, ...await fieldsOf(lab)], entry);
      return await entryPage(area, lab, call, { name: nameOf(entry), values });
    }),
    pageAt(
      `/new-${what}`,
      (lab, call) => entryPage(area, lab, call, { values: new URLSearchParams() }),
    ),
    formAt(`/save-${what}`, (lab, { form }) => save(area, lab, form), (lab, call, problem) => {
      const name = isNew(call.form) ? undefined : call.form.get(key.name) ?? "";
      return entryPage(area, lab, call, { name, values: call.form, problem });
    }),
    formAt(`/remove-${what}`, (lab, { form }) => {
      directoryOf(lab).remove(form.get(key.name) ?? "");
      return `/${what}s`;
    }),
  ];
}

function isNew(form: URLSearchParams): boolean {
  return form.get("new") === "true";
}

async function save<T extends object>(
  { what, key, directoryOf, nameOf, fieldsOf, toEntry = (read) => read }: DirectoryArea<T>,
  lab: CoreLab,
  form: URLSearchParams,
): Promise<string> {
  const read = readFields([key, ...await fieldsOf(lab)], form);
  const entry = toEntry({ [key.name]: "", ...read } as T);
  // A form that adds must not replace what is there.
  if (isNew(form) && directoryOf(lab).list().some((each) => nameOf(each) === nameOf(entry))) {
    throw new LabError(`There is already a ${what} '${nameOf(entry)}'.`, { field: key.name });
  }
  directoryOf(lab).put(entry);
  return `/${what}s`;
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
          <Paged what={`${what}s`} list={found} path={path} query={query}>
            {(shown) => directoryTable(area, base, shown, entries.length > 0)}
          </Paged>
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
          <a href={`${base}/lab/${what}s`}>
            All {entries.length > maxListed && `${entries.length} `}
            {what}s
          </a>{" "}
          {addLink(base, what)}
        </>
      }
    >
      {directoryTable(area, base, entries.slice(0, maxListed))}
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
  const link = (name: string) => (
    <>
      <a href={`${base}/lab/${what}s/${encodeURIComponent(name)}`}>
        <code>
          <ShortName name={name} />
        </code>
      </a>
      {name.length > maxNameLength && <CopyAll what="name" text={name} />}
    </>
  );
  return (
    <Table
      columns={[[key.label, (entry) => link(nameOf(entry))], ...columns]}
      entries={entries}
      empty={empty}
    />
  );
}

async function entryPage<T extends object>(
  { what, key, fieldsOf, directoryOf, nameOf, sectionOf }: DirectoryArea<T>,
  lab: CoreLab,
  call: LabPageCall,
  { name, values, problem }: EntryForm,
): Promise<LabPage> {
  const entry = directoryOf(lab).list().find((each) => nameOf(each) === name);
  const isAdded = name === undefined;
  const fields = await fieldsOf(lab);
  const { field } = problem ?? {};
  const form = { values, invalid: field && fieldOf([key, ...fields], field, values) };
  const submit = isAdded ? `Add the ${what}` : "Save";
  const newName: Field = { ...key, help: "It cannot be changed later.", required: true };
  return {
    title: name ?? `New ${what}`,
    area: setupArea,
    content: (
      <div class="entry-form">
        <PageHead
          title={isAdded ? `New ${what}` : <bdi>{name}</bdi>}
          actions={
            <>
              {/* The form is longer than a screen. */}
              <button type="submit" form="entry" class="small">{submit}</button>
              {!isAdded && (
                <ActionForm
                  page={call}
                  action={`/remove-${what}`}
                  id="remove"
                  fields={{ [key.name]: name }}
                  look="danger"
                >
                  {`Remove this ${what}`}
                </ActionForm>
              )}
            </>
          }
        />
        <LabForm page={call} action={`/save-${what}`} id="entry" class="panel">
          <FormProblem problem={problem?.message} invalid={form.invalid} />
          {isAdded
            ? <input type="hidden" name="new" value="true" />
            : <input type="hidden" name={key.name} value={name} />}
          {isAdded && <FormFields fields={[newName]} {...form} />}
          <FormFields fields={fields} {...form} />
          {!isAdded && call.additions(what, name).map((addition) => <p>{addition}</p>)}
          <SubmitRow cancel={`${call.base}/lab/${what}s`}>{submit}</SubmitRow>
        </LabForm>
        {entry && await sectionOf?.(lab, call, entry)}
        {!isAdded && await call.sections(what, name)}
      </div>
    ),
  };
}
