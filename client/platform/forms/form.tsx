import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../ui/buttons/button.tsx';
import { ErrorBanner } from '../ui/feedback/error-banner.tsx';
import { FieldProblems } from './field-problems.ts';
import { guardNumberFields } from './number-wheel.ts';
import type { Submit } from './use-submit.ts';

guardNumberFields();

/** A form with its error message, its submit button and, with `onCancel`, a cancel button. The browser validates nothing. */
export function Form({
  form: { ref, onSubmit, isPending, message, isUnanswered, fields, clear },
  checks = false,
  submit,
  pending = 'Saving…',
  Icon,
  look,
  disabled,
  onCancel,
  cancel = 'Cancel',
  footer,
  isInView = false,
  className = 'gap-4',
  children,
  ...rest
}: Omit<ComponentProps<'form'>, 'ref' | 'onSubmit'> & {
  form: Submit;
  /** Whether the attributes of its inputs, such as `required` and `min`, are checked before it is sent. */
  checks?: boolean;
  /** The label of the submit button; `pending` while the form is being sent. */
  submit: ReactNode;
  pending?: string;
  Icon?: LucideIcon | undefined;
  /** Red for what destroys something; secondary next to a more important button. */
  look?: 'danger' | 'secondary' | undefined;
  /** Of the submit button. */
  disabled?: boolean;
  onCancel?: (() => void) | undefined;
  cancel?: string;
  /** Below the buttons. */
  footer?: ReactNode;
  /** Whether the buttons of a form that may be long stay in view, in a dialog or above the navigation of a page. */
  isInView?: boolean;
}) {
  const button = (
    <Button
      type="submit"
      wide
      look={look}
      Icon={Icon}
      disabled={disabled}
      pending={isPending && pending}
    >
      {submit}
    </Button>
  );
  return (
    <form
      {...rest}
      noValidate
      data-checks={checks || undefined}
      ref={ref}
      onSubmit={onSubmit}
      onInput={({ target }) => {
        const { id } = target as HTMLElement;
        if (fields[id] !== undefined) clear(id);
      }}
      className={`flex flex-col ${className}`}
    >
      <FieldProblems value={fields}>{children}</FieldProblems>
      {message && (
        <ErrorBanner title={isUnanswered ? message : undefined}>
          {isUnanswered
            ? 'Check your connection and try again. What you entered is still here.'
            : message}
        </ErrorBanner>
      )}
      {onCancel ? (
        <div className={`actions ${isInView ? 'actions-in-view' : ''}`}>
          <Button look="secondary" onClick={onCancel}>
            {cancel}
          </Button>
          {button}
        </div>
      ) : isInView ? (
        <div className="actions-in-view">{button}</div>
      ) : (
        button
      )}
      {footer}
    </form>
  );
}
