/** A page that is ready to be written out: an element of JSX, as Preact makes them. */
export interface Page {
  type: unknown;
  props: unknown;
  key: unknown;
}

/** What can stand inside an element. */
export type Content = Page | string | number | boolean | null | undefined | Content[];
