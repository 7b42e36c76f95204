import { Toaster as Sonner } from 'sonner';

/** Renders toasts: `import { toast } from 'sonner'` and call it anywhere behind sign-in. */
export function Toaster() {
  return (
    <Sonner
      position="top-center"
      // Its default, "Notifications", is the name of a section of the settings.
      containerAriaLabel="Brief announcements"
      theme="system"
      toastOptions={{
        classNames: {
          // An open dialog turns off the pointer elsewhere, but what was done in it can be undone.
          toast:
            'pointer-events-auto! rounded-card! font-sans! text-base! border! border-line! bg-surface! text-ink! shadow-lift!',
          error: 'border-poor! bg-poor-soft! [&_[data-icon]]:text-poor!',
          description: 'text-soft!',
          actionButton:
            'min-h-11! rounded-control! text-base! font-bold! bg-accent! px-4! text-on-accent!',
        },
      }}
    />
  );
}
