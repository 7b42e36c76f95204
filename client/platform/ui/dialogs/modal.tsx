import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useRef, type ReactNode } from 'react';
import { IconButton } from '../buttons/icon-button.tsx';
import { asTopDialog } from './top-dialog.ts';

/** Returns the focus to the element that opened a dialog; if it was removed and the focus is lost, to what the screen is for. */
function restoreFocus(opener: Element | null): void {
  const isLost = document.activeElement === null || document.activeElement === document.body;
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
  if (isThere) opener.focus({ preventScroll: true });
  else if (isLost) {
    const field = document.querySelector<HTMLElement>('[data-takes-focus]:enabled');
    (field ?? document.getElementById('main'))?.focus({ preventScroll: true });
  }
}

const isInToast = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[data-sonner-toaster]') !== null;

const FIELDS =
  'input:not([type=hidden], [type=checkbox], [type=radio], [type=file], [type=range]), textarea';

/**
 * Focuses what a dialog starts with: its first field, or the dialog, which screen readers name; never the close button. Where a field
 * would bring up a keyboard that hides the rest, the dialog.
 */
function focusStart(dialog: HTMLElement): void {
  const hasKeyboard = matchMedia('(pointer: fine)').matches;
  const field = hasKeyboard ? dialog.querySelector<HTMLElement>(FIELDS) : null;
  // A disabled field doesn't take the focus.
  field?.focus({ preventScroll: true });
  if (!dialog.contains(document.activeElement)) dialog.focus({ preventScroll: true });
}

/**
 * A dialog: a bottom sheet on a phone, a centered box on a desktop. It doesn't move when it opens, because a warning in it is fixed to
 * the window, and it leaves room for one at the top.
 */
export function Modal({
  open,
  onClose,
  title,
  description,
  isWide = false,
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: string;
  /** Whether it has two columns on a desktop. */
  isWide?: boolean;
  children: ReactNode;
}) {
  const opener = useRef<Element | null>(null);
  const isTypedIn = useRef(false);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      {/* Not rendered while closed, which would slow down every render of the screen. */}
      {open && (
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-40 animate-shade bg-shade" />
          <Dialog.Content
            ref={asTopDialog}
            onOpenAutoFocus={(event) => {
              opener.current = document.activeElement;
              isTypedIn.current = false;
              event.preventDefault();
              if (event.currentTarget instanceof HTMLElement) focusStart(event.currentTarget);
            }}
            onInput={() => {
              isTypedIn.current = true;
            }}
            // An accidental tap outside must not lose what was typed. What a toast offers is no tap outside.
            onPointerDownOutside={(event) => {
              if (isTypedIn.current || isInToast(event.detail.originalEvent.target))
                event.preventDefault();
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              restoreFocus(opener.current);
            }}
            {...(description ? {} : { 'aria-describedby': undefined })}
            className={`fixed inset-x-0 bottom-0 z-50 animate-appear max-h-[92dvh] scroll-py-16 overflow-y-auto overscroll-contain rounded-t-card border border-line bg-surface p-4 outline-none pb-[max(1rem,env(safe-area-inset-bottom))] text-ink shadow-lift sm:inset-0 sm:m-auto sm:h-fit sm:w-full sm:max-w-lg ${isWide ? 'lg:max-w-5xl' : ''} sm:rounded-card sm:p-6 max-sm:has-data-pill:max-h-[calc(100dvh-4rem)] sm:max-xl:has-data-pill:mt-22 sm:max-xl:has-data-pill:max-h-[calc(100dvh-6.5rem)]`}
          >
            {/* The close button stays visible, except if large text leaves little room. */}
            <div className="-mx-4 -mt-4 mb-1 flex items-center justify-between gap-3 bg-surface px-4 pt-4 pb-1 sm:-mx-6 sm:-mt-6 sm:px-6 sm:pt-6 not-low:sticky not-low:-top-4 not-low:z-10 not-low:sm:-top-6">
              <Dialog.Title className="min-w-0 text-xl font-bold break-words">{title}</Dialog.Title>
              <Dialog.Close asChild>
                <IconButton Icon={X} label="Close" />
              </Dialog.Close>
            </div>
            {description && (
              <Dialog.Description className="mb-4 text-soft">{description}</Dialog.Description>
            )}
            {children}
          </Dialog.Content>
        </Dialog.Portal>
      )}
    </Dialog.Root>
  );
}
