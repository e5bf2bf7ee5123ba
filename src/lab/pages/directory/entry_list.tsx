/** @jsxImportSource preact */
import type { VNode } from "preact";
import { Empty } from "../parts/empty.tsx";
import type { FormOrigin } from "../parts/lab_form.tsx";
import { PageHead } from "../parts/section.tsx";
import type { DirectoryArea } from "./directory_area.ts";

interface EntryListProps<T extends object> {
  page: FormOrigin;
  area: DirectoryArea<T>;
  title: string;
  entries: readonly T[];
}

/** The users or the clients of a lab, as a table. */
export function EntryList<T extends object>(props: EntryListProps<T>): VNode {
  const { page, area, title, entries } = props;
  const { what, introduction, nameOf, columns, cells } = area;
  const path = `${page.base}/lab/${what}s`;
  return (
    <>
      <PageHead
        title={title}
        actions={<a class="button" href={`${page.base}/lab/new-${what}`}>{`Add a ${what}`}</a>}
      >
        {introduction}
      </PageHead>
      <div class="panel" id="entries" data-live>
        {entries.length === 0 ? <Empty title={`There is no ${what}`} /> : (
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
        )}
      </div>
    </>
  );
}
