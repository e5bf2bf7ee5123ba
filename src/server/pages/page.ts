/** A page that is ready to be rendered: a JSX element, as Preact creates them. */
export interface Page {
  /** The component, or the name of the HTML element. */
  type: unknown;
  /** The properties of the element. */
  props: unknown;
  /** The key of the element among its siblings. */
  key: unknown;
}

/** What an element can contain. */
export type Content = Page | string | number | boolean | null | undefined | Content[];

/** A form that only one of our pages can send. */
export interface GuardedForm {
  /** Where the form is sent. */
  action: string;
  /** The value of the hidden field `form_token`, which guards the form against forgery. */
  formToken: string;
}
