import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../ui/buttons/button.tsx';
import { ErrorBanner } from '../ui/feedback/error-banner.tsx';
import { guardNumberFields } from './number-wheel.ts';
import type { Submit } from './use-submit.ts';

guardNumberFields();

/** A form with its error message, its submit button and, with `onCancel`, a cancel button. The browser validates nothing by default. */
export function Form({
  form: { ref, onSubmit, isPending, message, isUnanswered },
  submit,
  pending = 'Saving…',
  Icon,
  look,
  disabled,
  onCancel,
  cancel = 'Cancel',
  footer,
  className = 'gap-4',
  children,
  ...rest
}: Omit<ComponentProps<'form'>, 'ref' | 'onSubmit'> & {
  form: Submit;
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
      noValidate
      {...rest}
      ref={ref}
      onSubmit={onSubmit}
      className={`flex flex-col ${className}`}
    >
      {children}
      {message && (
        <ErrorBanner title={isUnanswered ? message : undefined}>
          {isUnanswered
            ? 'Check your connection and try again. What you entered is still here.'
            : message}
        </ErrorBanner>
      )}
      {onCancel ? (
        <div className="actions">
          <Button look="secondary" onClick={onCancel}>
            {cancel}
          </Button>
          {button}
        </div>
      ) : (
        button
      )}
      {footer}
    </form>
  );
}
