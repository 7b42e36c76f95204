import { useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Toaster as Sonner } from 'sonner';
import { useTopDialog } from '../dialogs/top-dialog.ts';
import { keepToastsFree } from './toast-place.ts';

/**
 * Renders toasts: `import { toast } from 'sonner'` and call it anywhere behind sign-in. They are in the topmost dialog, which keeps the focus
 * and screen readers inside. They move there and back in their element: new ones would have lost what they show. They never cover a
 * warning.
 */
export function Toaster() {
  const dialog = useTopDialog();
  const [place] = useState(() => document.createElement('div'));
  useLayoutEffect(() => {
    // First, so that Tab reaches it from the last element, where the dialog begins again.
    if (dialog) dialog.prepend(place);
    else document.body.append(place);
    return () => place.remove();
  }, [dialog, place]);
  useLayoutEffect(() => keepToastsFree(place), [place]);
  return createPortal(
    <Sonner
      position="top-center"
      offset={{ top: 'var(--toast-top, 1.5rem)' }}
      mobileOffset={{ top: 'var(--toast-top, 1rem)' }}
      style={{ zIndex: 'var(--toast-layer, 999999999)' }}
      // Its default, "Notifications", is the name of a section of the settings.
      containerAriaLabel="Brief announcements"
      theme="system"
      toastOptions={{
        classNames: {
          // An open menu turns off the pointer elsewhere.
          toast:
            'pointer-events-auto! rounded-card! font-sans! text-base! border! border-line! bg-surface! text-ink! shadow-lift!',
          error: 'border-poor! bg-poor-soft! [&_[data-icon]]:text-poor!',
          description: 'text-soft!',
          actionButton:
            'min-h-11! rounded-control! text-base! font-bold! bg-accent! px-4! text-on-accent!',
        },
      }}
    />,
    place,
  );
}
