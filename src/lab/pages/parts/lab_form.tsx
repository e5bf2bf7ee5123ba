/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";

/** What a page knows of the form that it contains: where it goes and what guards it. */
export interface FormOrigin {
  /** The path below which the lab lives: "" or "/t/acme". */
  base: string;
  /** Guards the forms of the page against forgery. */
  formToken: string;
}

interface LabFormProps {
  /** The page that the form is on. */
  page: FormOrigin;
  /** The path of the form below `/lab`. */
  action: string;
  /** The path of the page to return to, for handlers that use `seePreviousPage`. */
  back?: string | undefined;
  id?: string | undefined;
  class?: string | undefined;
  children: ComponentChildren;
}

/** A form that changes the lab. */
export function LabForm({ page, action, back, children, ...attributes }: LabFormProps): VNode {
  return (
    <form method="post" action={`${page.base}/lab${action}`} {...attributes}>
      <input type="hidden" name="form_token" value={page.formToken} />
      {back !== undefined && <input type="hidden" name="back" value={back} />}
      {children}
    </form>
  );
}
