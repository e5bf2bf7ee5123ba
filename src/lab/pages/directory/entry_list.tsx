/** @jsxImportSource preact */
import type { VNode } from "preact";
import { Empty } from "../parts/empty.tsx";
import { FilterForm, hasWords } from "../parts/filter_form.tsx";
import type { FormOrigin } from "../parts/lab_form.tsx";
import { Count, pageOf, Pager } from "../parts/pager.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import type { DirectoryArea } from "./directory_area.ts";

interface EntryListProps<T extends object> {
  page: FormOrigin;
  area: DirectoryArea<T>;
  title: string;
  entries: readonly T[];
  query: URLSearchParams;
}

/** The users or the clients of a lab, as a table that can be searched. */
export function EntryList<T extends object>(props: EntryListProps<T>): VNode {
  const { page, area, title, entries, query } = props;
  const { what, introduction } = area;
  const path = `${page.base}/lab/${what}s`;
  const found = entries.filter((entry) => hasWords(JSON.stringify(entry), query.get("q")));
  const shown = pageOf(found, query.get("page"));
  return (
    <>
      <PageHead
        title={title}
        actions={<a class="button" href={`${page.base}/lab/new-${what}`}>{`Add a ${what}`}</a>}
      >
        {introduction}
      </PageHead>
      <FilterForm action={path} label={`Find a ${what}`} query={query} />
      <Section
        title={title}
        id="entries"
        live
        actions={<Count shown={found.length} all={entries.length} />}
      >
        {found.length === 0
          ? <Empty title={entries.length === 0 ? `No ${what}s yet` : `No ${what} matches`} />
          : <EntryTable area={area} entries={shown.entries} path={path} />}
        <Pager what={`${what}s`} page={shown} path={path} query={query} />
      </Section>
    </>
  );
}

interface EntryTableProps<T extends object> extends Pick<EntryListProps<T>, "area" | "entries"> {
  path: string;
}

function EntryTable<T extends object>({ area, entries, path }: EntryTableProps<T>): VNode {
  const { what, nameOf, columns, cells } = area;
  return (
    <table class="stacking">
      <thead>
        <tr>
          <th scope="col">{what === "user" ? "User name" : "Client id"}</th>
          {columns.map((column) => <th scope="col">{column}</th>)}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr>
            <th scope="row">
              <a href={`${path}/${encodeURIComponent(nameOf(entry))}`}>
                <code>{nameOf(entry)}</code>
              </a>
            </th>
            {cells(entry).map((cell, at) => <td data-label={columns[at]}>{cell}</td>)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
