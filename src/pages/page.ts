/** A page that is ready to be written out: an element of JSX, as Preact makes them. */
export interface Page {
  /** The component, or the name of the HTML element. */
  type: unknown;
  /** The properties of the element. */
  props: unknown;
  /** The key of the element among its siblings. */
  key: unknown;
}

/** What can stand inside an element. */
export type Content = Page | string | number | boolean | null | undefined | Content[];
